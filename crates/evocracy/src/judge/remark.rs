//! Remarks: what a person would want to know of before believing a figure.

use crate::classify::MixingFigures;
use crate::data::{
    Cells as CellsOf, Column, Dataset, Field, Kind, LeftOut, MISSING, RowNames, has_decimal_comma,
    like_numbers,
};
use crate::model::Model;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// A nominal column with more levels than this ...
const MANY_LEVELS: usize = 20;
/// ... in at least this share of the rows names rows rather than kinds of rows.
const NAMES: f64 = 0.5;
/// Larger tables are not searched for rows that come twice: it would take their size again.
const MOST_CELLS: usize = 20_000_000;

/// How much a remark matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Good to know.
    Note,
    /// Figures may be wrong because of it.
    Warning,
}

/// Something that was noticed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Noticed {
    /// A column of texts that nearly all differ.
    ManyTexts {
        /// The column.
        column: String,
        /// How many different texts.
        texts: usize,
        /// In how many rows.
        rows: usize,
        /// One of them.
        example: String,
        /// Whether most begin like numbers.
        like_numbers: bool,
        /// Where the example stands, if that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<String>,
        /// Whether most would be numbers with a decimal comma.
        #[serde(default)]
        decimal_comma: bool,
        /// Whether the column is not learnt from because of it.
        #[serde(default)]
        left_out: bool,
    },
    /// Rows without a target were left out, as was asked.
    Unlabelled {
        /// How many.
        rows: usize,
    },
    /// A column that numbers the rows, or has no name, is not learnt from.
    RowNames {
        /// The column.
        column: String,
        /// Whether it has no name.
        unnamed: bool,
    },
    /// Judged rows are of a class that no training row has.
    UnknownClass {
        /// The class.
        class: String,
        /// How many rows.
        rows: usize,
    },
    /// Judged rows hold levels that the training rows did not show.
    UnseenLevels {
        /// The column.
        column: String,
        /// How many cells.
        cells: u64,
        /// One of the levels.
        example: String,
        /// Where it stands, if that is known.
        place: Option<String>,
    },
    /// Judged rows equal a training row, target included: figures on them are too good.
    RepeatedRows {
        /// How many.
        repeated: usize,
        /// Of so many judged rows.
        judged: usize,
        /// Whether that is an estimate, by some of the training rows.
        #[serde(default)]
        estimated: bool,
    },
    /// Rows of a cross-validation have an equal one elsewhere, target included.
    TwinRows {
        /// How many.
        twins: usize,
        /// Of so many rows.
        rows: usize,
    },
    /// Rows come in groups, but intervals take them as independent.
    DependentRows {
        /// The column that names the groups.
        column: String,
        /// How many groups there are.
        groups: usize,
    },
    /// Rows of the training table weigh differently, and those of the other table do not.
    UnweightedTable {
        /// The other table.
        table: String,
    },
    /// Folds were not judged because the work was interrupted.
    FoldsMissing {
        /// How many folds were judged.
        judged: usize,
        /// Of so many.
        folds: usize,
    },
    /// Scores rank the positives below the others.
    RanksBelow {
        /// The score.
        score: String,
        /// The positive class.
        positive: String,
        /// Its area under the ROC curve.
        auc: f64,
    },
    /// Chains of sampled classifiers have not mixed, or are too short to tell.
    Unmixed {
        /// The class whose chains these are, where each class has its own.
        class: Option<String>,
        /// How many chains there are.
        chains: usize,
        /// How many of them did not move.
        stuck: usize,
        /// The greatest split R-hat, if the chains are long enough.
        r_hat: Option<f64>,
        /// The least effective sample size, if the chains are long enough.
        effective: Option<f64>,
    },
    /// Intervals from few clusters are too narrow.
    FewClusters {
        /// How many there are.
        clusters: usize,
        /// How many hold positives.
        with_positives: usize,
        /// How many hold negatives.
        with_negatives: usize,
    },
}

/// Something that was noticed, how much it matters, and a sentence about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Remark {
    /// How much it matters.
    pub severity: Severity,
    /// A sentence, without what a person could do about it: that is the shell's to say.
    pub text: String,
    /// What was noticed.
    #[serde(flatten)]
    pub noticed: Noticed,
}

impl From<Noticed> for Remark {
    fn from(noticed: Noticed) -> Self {
        Self { severity: noticed.severity(), text: noticed.to_string(), noticed }
    }
}

impl Noticed {
    fn severity(&self) -> Severity {
        match self {
            Self::UnseenLevels { .. }
            | Self::TwinRows { .. }
            | Self::RowNames { .. }
            | Self::Unlabelled { .. } => Severity::Note,
            Self::Unmixed { stuck: 0, r_hat: None, effective, .. } if !is_few(*effective) => {
                Severity::Note
            }
            _ => Severity::Warning,
        }
    }
}

impl Noticed {
    /// What stands out in a table.
    fn write_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ManyTexts { column, texts, rows, example, left_out, place, .. } => write!(
                f,
                "column `{column}` has {texts} different texts in {} (such as `{example}`{}){}",
                counted(*rows as u64, "row"),
                place.as_ref().map_or(String::new(), |place| format!(" in {place}")),
                if *left_out { ": it is not learnt from" } else { "" }
            ),
            Self::Unlabelled { rows } => {
                let have = if *rows == 1 { "has" } else { "have" };
                write!(f, "{} {have} no target: left out", counted(*rows as u64, "row"))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Noticed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ManyTexts { .. } | Self::Unlabelled { .. } => self.write_table(f),
            Self::RowNames { column, unnamed: true } => {
                write!(f, "`{column}` has no name, as columns of row names: it is not learnt from")
            }
            Self::RowNames { column, unnamed: false } => {
                write!(f, "column `{column}` counts the rows: it is not learnt from")
            }
            Self::UnknownClass { class, rows } => {
                let are = if *rows == 1 { "is" } else { "are" };
                let rows = counted(*rows as u64, "judged row");
                write!(f, "{rows} {are} of the class `{class}`, which no training row has")
            }
            Self::UnseenLevels { column, cells, example, place } => {
                let place = place.as_ref().map_or(String::new(), |place| format!(" in {place}"));
                let hold = if *cells == 1 {
                    "1 cell holds".to_owned()
                } else {
                    format!("{cells} cells hold")
                };
                write!(
                    f,
                    "{hold} a level of column `{column}` that training did not show (`{example}`{place}); it counts as missing"
                )
            }
            Self::RepeatedRows { repeated, judged, estimated } => {
                let about = if *estimated { "about " } else { "" };
                write!(f, "{about}{repeated} of the {judged} test rows equal a training row")
            }
            Self::TwinRows { twins, rows } => write!(
                f,
                "{twins} of the {rows} rows equal another row, which may have been learnt from when they were judged"
            ),
            Self::DependentRows { column, groups } => write!(
                f,
                "intervals take rows as independent; they come in {groups} groups by `{column}`, so the intervals are too narrow if rows of a group are alike"
            ),
            Self::UnweightedTable { table } => {
                write!(f, "the rows of {table} were judged without weights")
            }
            Self::FoldsMissing { judged, folds } => {
                write!(f, "interrupted: {judged} of {folds} folds were judged")
            }
            Self::RanksBelow { score, positive, auc } => {
                write!(f, "by `{score}` the {positive} rows rank below the others (AUC {auc:.4})")
            }
            Self::Unmixed { class, chains, stuck, r_hat, effective } => {
                f.write_str(&mixing(class.as_deref(), (*stuck, *chains), (*r_hat, *effective)))
            }
            Self::FewClusters { clusters, with_positives, with_negatives } => write!(
                f,
                "there are {clusters} clusters, {with_positives} with positives and {with_negatives} with others; intervals from so few are too narrow"
            ),
        }
    }
}

/// Whether samples are worth hardly one.
fn is_few(effective: Option<f64>) -> bool {
    effective.is_some_and(|worth| worth < 2.0)
}

/// What is said of chains that have not mixed.
fn mixing(
    class: Option<&str>,
    (stuck, chains): (usize, usize),
    figures: (Option<f64>, Option<f64>),
) -> String {
    const MOST: f64 = MixingFigures::MOST;
    let of = class.map_or(String::new(), |class| format!(" of `{class}`"));
    match figures {
        _ if stuck > 0 => format!(
            "{stuck} of {chains} chains{of} did not move: all their samples are the same and tell what one tells"
        ),
        (Some(r_hat), _) if r_hat > MOST => format!(
            "not all chains{of} have mixed: those of one target differ more from each other than samples of one chain do (R-hat {r_hat:.2}, it should be below {MOST})"
        ),
        (_, Some(worth)) if is_few(Some(worth)) => format!(
            "the samples of one target{of} are worth {worth:.1} independent ones: they hardly differ"
        ),
        _ => format!(
            "chains{of} of fewer than {} samples each are too short to tell whether they have mixed",
            MixingFigures::LEAST
        ),
    }
}

/// Chains of sampled classifiers that have not mixed, or are too short to tell.
pub fn unmixed(model: &Model) -> Vec<Remark> {
    let diagnostics = model.diagnostics();
    let classes = diagnostics.by_class.iter().map(|(class, own)| (Some(class), own));
    let all = std::iter::once((None, &diagnostics)).chain(classes);
    all.filter_map(|(class, own)| Some((class, own.mixing.as_ref()?)))
        .filter(|(_, mixing)| {
            let bad = mixing.r_hat.is_none_or(|r_hat| r_hat > MixingFigures::MOST);
            bad || mixing.stuck > 0 || is_few(mixing.effective)
        })
        .map(|(class, mixing)| {
            let MixingFigures { levels, chains, stuck, r_hat, effective, .. } = *mixing;
            let (class, chains) = (class.cloned(), levels * chains);
            Noticed::Unmixed { class, chains, stuck, r_hat, effective }.into()
        })
        .collect()
}

/// A number of things: `1 row`, `2 rows`.
fn counted(n: u64, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// What stands out in a table: columns that name or number the rows, whether they are left out or
/// not, texts that look like numbers which were not understood, rows without a target.
pub fn many_texts(data: &Dataset) -> Vec<Remark> {
    let table = data.table();
    let rows = table.rows();
    let left: HashMap<&str, &LeftOut> =
        data.left_out().iter().map(|left| (left.column.as_str(), left)).collect();
    let learnt: HashSet<&str> = data.features().fields().map(|field| field.name.as_str()).collect();
    let remark = |(field, column): (&Field, &Column)| {
        let (name, left) = (field.name.clone(), left.get(field.name.as_str()));
        if let Some(unnamed) = left.and_then(|left| match left.like {
            RowNames::Texts => None,
            like => Some(like == RowNames::Unnamed),
        }) {
            return Some(Remark::from(Noticed::RowNames { column: name, unnamed }));
        }
        let levels = field.levels();
        let many = levels.len() > MANY_LEVELS && levels.len() as f64 >= NAMES * rows as f64;
        let told = left.is_some() || (many && learnt.contains(field.name.as_str()));
        let comma = |level: &&String| has_decimal_comma(level);
        told.then(|| {
            let like_numbers = like_numbers(levels);
            let first = data.first_text(&field.name).filter(|_| like_numbers);
            Remark::from(Noticed::ManyTexts {
                column: name,
                texts: levels.len(),
                rows: column.len() - column.missing(),
                example: first.map_or(&*levels[0], |(text, _)| text).to_owned(),
                like_numbers,
                place: first.map(|(_, place)| place.to_owned()),
                decimal_comma: levels.iter().filter(comma).count() * 2 > levels.len(),
                left_out: left.is_some(),
            })
        })
    };
    let columns = table.schema().fields.iter().zip(table.columns()).filter_map(remark);
    let unlabelled = Some(data.unlabelled()).filter(|&rows| rows > 0);
    unlabelled.map(|rows| Noticed::Unlabelled { rows }.into()).into_iter().chain(columns).collect()
}

/// Classes of the test rows that no training row has.
pub fn unknown_classes(data: &Dataset, train: &[u32], test: &[u32]) -> Vec<Remark> {
    let (Some(classes), Some(codes)) = (data.classes(), data.codes()) else { return Vec::new() };
    let mut rows = vec![[0_usize; 2]; classes.len()];
    for (side, ids) in [train, test].into_iter().enumerate() {
        for &row in ids {
            rows[codes[row as usize] as usize][side] += 1;
        }
    }
    let unknown =
        classes.names().iter().zip(rows).filter(|(_, [known, rows])| *known == 0 && *rows > 0);
    let remark = |(class, [_, rows]): (&String, [usize; 2])| {
        Noticed::UnknownClass { class: class.clone(), rows }.into()
    };
    unknown.map(remark).collect()
}

/// Levels of the test rows that training rows did not show.
pub fn unseen_levels(model: &Model, data: &Dataset, test: &[u32]) -> Vec<Remark> {
    let view = data.features().with_rows(test);
    let mut remarks = Vec::new();
    for (j, (field, known)) in view.fields().zip(&model.schema().fields).enumerate() {
        let (Kind::Nominal(levels), CellsOf::Nominal(codes)) = (&field.kind, view.cells(j)) else {
            continue;
        };
        let known: HashSet<&String> = known.levels().iter().collect();
        let new: Vec<bool> = levels.iter().map(|level| !known.contains(level)).collect();
        let cells = view.pick(codes);
        let unseen: Vec<u32> =
            cells.into_iter().filter(|&code| code != MISSING && new[code as usize]).collect();
        if let Some(&first) = unseen.first() {
            remarks.push(Remark::from(Noticed::UnseenLevels {
                column: field.name.clone(),
                cells: unseen.len() as u64,
                example: levels[first as usize].clone(),
                place: Some("the test rows".to_owned()),
            }));
        }
    }
    remarks
}

/// Whether rows are looked for that come twice: where there are too many cells, that nothing is
/// remarked says nothing.
pub fn compares_rows(data: &Dataset) -> bool {
    few_cells(data.table().rows(), data.features().columns() + 1)
}

fn few_cells(rows: usize, columns: usize) -> bool {
    rows.saturating_mul(columns) <= MOST_CELLS
}

/// Test rows that equal a training row, target included; columns that are not learnt from do not
/// count.
pub fn repeated_rows(data: &Dataset, train: &[u32], test: &[u32]) -> Option<Remark> {
    let cells = Cells::new(data)?;
    let known: HashSet<Vec<u64>> = train.iter().map(|&row| cells.of(row)).collect();
    let repeated = test.iter().filter(|&&row| known.contains(&cells.of(row))).count();
    let judged = test.len();
    (repeated > 0).then(|| Noticed::RepeatedRows { repeated, judged, estimated: false }.into())
}

/// Rows that equal a row of another group, target included; without groups, any other row.
pub fn twin_rows(data: &Dataset, groups: Option<&[u32]>) -> Option<Remark> {
    let cells = Cells::new(data)?;
    let rows = data.table().rows() as u32;
    let group = |row: u32| groups.map_or(row, |groups| groups[row as usize]);
    // The first group that shows the cells, and whether another one does.
    let mut shown: HashMap<Vec<u64>, (u32, bool)> = HashMap::new();
    for row in 0..rows {
        let first = shown.entry(cells.of(row)).or_insert((group(row), false));
        first.1 |= first.0 != group(row);
    }
    let twins = (0..rows).filter(|&row| shown[&cells.of(row)].1).count();
    (twins > 0).then(|| Noticed::TwinRows { twins, rows: rows as usize }.into())
}

/// The cells of rows that count: what is learnt from, and the target.
struct Cells<'a> {
    columns: Vec<CellsOf<'a>>,
}

impl<'a> Cells<'a> {
    /// Nothing where there are too many cells to be compared.
    fn new(data: &'a Dataset) -> Option<Self> {
        let (table, features) = (data.table(), data.features());
        if !few_cells(table.rows(), features.columns() + 1) {
            return None;
        }
        let target = table.schema().names().position(|name| name == data.target_name())?;
        let mut columns: Vec<CellsOf<'a>> =
            (0..features.columns()).map(|column| features.cells(column)).collect();
        columns.push(table.view().cells(target));
        Some(Self { columns })
    }

    fn of(&self, row: u32) -> Vec<u64> {
        let cell = |cells: &CellsOf<'_>| match cells {
            CellsOf::Number(values) => values[row as usize].to_bits(),
            CellsOf::Nominal(codes) => u64::from(codes[row as usize]),
        };
        self.columns.iter().map(cell).collect()
    }
}
