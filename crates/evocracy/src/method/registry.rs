//! All methods by name, with their parameters and members.

use super::Method;
use super::assembled::Assembled;
use super::spec::Spec;
use super::usual;
use super::with_columns::WithColumns;
use super::with_encoding::WithEncoding;
use crate::classify::{Learner, Predicts};
use crate::committee::{
    AdaBoost, Averaging, Bag, BayesVote, Combination, Cross, Ecoc, Ensemble, EvoBn, ExtraTrees,
    Forest, LabelsAuto, LabelsConditional, LabelsDs, LabelsHc, LabelsHidden, LabelsK2,
    LabelsLoglinear, LabelsNaive, LabelsStack, LabelsTan, LabelsVote, LabelsWeighted, Local,
    OneRest, Pairs, Prune, RandomTrees, Stack, Subspace, Vote,
};
use crate::data::Encoding;
use crate::error::{Error, Remedy, Result};
use crate::experts::{Foil, Knn, Logistic, Lvq, Mlp, NaiveBayes, Ridge, Stump, Tree};
use crate::front::{EvoLogistic, EvoRules, EvoRvm, EvoTree};
use crate::kernel::{Rvm, RvmClassic, RvmRegression};
use crate::model::Core;
use crate::param::Param;
use crate::rules::{MoeBatch, MoeGa, MoeJoint, MoeOnline, MoeRegression, Ucs};
use crate::sample::AbcMlp;

/// The setting that every method takes beside its own parameters: an [`Encoding`].
pub const ENCODE: &str = "encode";

/// The other one: the names of the columns it sees, with `*` for any text; all unless given.
pub const COLUMNS: &str = "columns";

/// A parameter and its value as text.
type Setting = (String, String);

/// What a method is made from.
struct Parts<'a> {
    name: String,
    own: &'a [Setting],
    members: Vec<Box<dyn Method>>,
    /// Whether no member has settings of its own.
    plain: bool,
}

type Make = fn(Parts<'_>) -> Result<Box<dyn Method>>;

/// How many members a method takes, and which it has unless told otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Members {
    /// The least number; 0 for a method that takes none.
    pub least: usize,
    /// The greatest number.
    pub most: usize,
    /// The members where none are named, as in `NAME:MEMBER+MEMBER`.
    pub default: &'static str,
    /// The member where none is named and the method has a fast way of its own.
    pub own: &'static str,
}

impl Members {
    /// No members.
    pub const NONE: Self = Self { least: 0, most: 0, default: "", own: "" };

    /// A fast way of its own for the member `own`, or one other method.
    pub const fn own_or_one(own: &'static str) -> Self {
        Self { least: 0, most: 1, default: "", own }
    }

    /// One method, trained many times.
    pub const fn one(default: &'static str) -> Self {
        Self { least: 1, most: 1, default, own: "" }
    }

    /// Several methods.
    pub const fn several(default: &'static str) -> Self {
        Self { least: 1, most: 1000, default, own: "" }
    }
}

/// A method as the registry knows it.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name on the command line.
    pub name: &'static str,
    /// Whether it predicts a class or a number.
    pub predicts: Predicts,
    /// What it is, in a line.
    pub summary: fn() -> String,
    /// Its parameters.
    pub table: fn() -> Vec<Param>,
    /// The members it takes.
    pub members: Members,
    /// Settings with which a slow method is soon done, for tests that try every method.
    pub small: &'static [(&'static str, &'static str)],
    make: Make,
}

impl Entry {
    fn of<L: Learner + Send + Sync + 'static>() -> Self
    where
        Core: From<L::Model>,
    {
        Self {
            name: L::NAME,
            predicts: L::PREDICTS,
            summary: L::summary,
            table: L::table,
            members: Members::NONE,
            small: &[],
            make: |parts| Ok(Box::new(L::with(parts.own)?)),
        }
    }

    /// A committee that has a fast way of its own for some members. Members with settings of
    /// their own go the general way.
    fn either<C: Ensemble + Learner + 'static>() -> Self
    where
        Core: From<C::Model>,
    {
        let make: Make = |parts| {
            let mut members = parts.members.iter().map(AsRef::as_ref);
            let entry = if members.all(|member| parts.plain && C::is_fast(member)) {
                Self::of::<C>()
            } else {
                Self::committee::<C>()
            };
            (entry.make)(parts)
        };
        Self { members: C::MEMBERS, make, ..Self::of::<C>() }
    }

    fn committee<C: Ensemble + 'static>() -> Self {
        Self {
            name: C::NAME,
            predicts: Predicts::Class,
            summary: C::summary,
            table: C::table,
            members: C::MEMBERS,
            small: &[],
            make: |parts| {
                let Parts { name, own, members, .. } = parts;
                Ok(Box::new(Assembled { name, ensemble: C::with(own)?, members }))
            },
        }
    }

    fn small(self, small: &'static [(&'static str, &'static str)]) -> Self {
        Self { small, ..self }
    }
}

/// All methods, in the order in which they are listed.
pub fn registry() -> Vec<Entry> {
    [experts(), committees(), label_combiners()].concat()
}

/// What is learnt as one model.
fn experts() -> Vec<Entry> {
    vec![
        Entry::of::<Tree>(),
        Entry::of::<Stump>(),
        Entry::of::<NaiveBayes>(),
        Entry::of::<Knn>(),
        Entry::of::<Logistic>(),
        Entry::of::<Mlp>(),
        Entry::of::<Lvq>(),
        Entry::of::<Foil>(),
        Entry::of::<MoeGa>().small(&[("price", "1"), ("epochs", "5"), ("rules", "20")]),
        Entry::of::<MoeBatch>().small(&[("passes", "3")]),
        Entry::of::<MoeOnline>().small(&[("epochs", "1")]),
        Entry::of::<MoeJoint>().small(&[("size", "100"), ("epochs", "5")]),
        Entry::of::<Ucs>().small(&[("population", "200"), ("iterations", "5000")]),
        Entry::of::<Rvm>().small(&[("width", "2"), ("explore", "false"), ("centres", "20")]),
        Entry::of::<RvmClassic>().small(&[("width", "2"), ("centres", "20")]),
        Entry::of::<EvoRvm>().small(&[
            ("evaluations", "50"),
            ("most", "5"),
            ("folds", "3"),
            ("rows", "300"),
        ]),
        Entry::of::<EvoLogistic>().small(&[
            ("evaluations", "50"),
            ("most", "5"),
            ("folds", "3"),
            ("rows", "300"),
        ]),
        Entry::of::<EvoTree>().small(&[("evaluations", "8"), ("folds", "2"), ("rows", "300")]),
        Entry::of::<EvoRules>().small(&[("evaluations", "8"), ("folds", "2"), ("rows", "300")]),
        Entry::of::<AbcMlp>().small(&[
            ("hidden", "3"),
            ("samples", "38"),
            ("chains", "2"),
            ("steps", "5"),
            ("folds", "2"),
        ]),
        Entry::of::<Ridge>(),
        Entry::of::<RvmRegression>().small(&[("width", "2"), ("explore", "false")]),
        Entry::of::<MoeRegression>().small(&[("price", "1"), ("epochs", "5"), ("rules", "20")]),
    ]
}

/// What is made of members.
fn committees() -> Vec<Entry> {
    vec![
        Entry::of::<Forest>(),
        Entry::of::<ExtraTrees>(),
        Entry::of::<RandomTrees>(),
        Entry::either::<Bag>(),
        Entry::either::<AdaBoost>(),
        Entry::committee::<Vote>(),
        Entry::committee::<BayesVote>().small(&[("folds", "2")]),
        Entry::committee::<Averaging>().small(&[("folds", "2")]),
        Entry::committee::<Combination>().small(&[("folds", "2"), ("draws", "100")]),
        Entry::committee::<Local>().small(&[("folds", "2")]),
        Entry::committee::<Cross>(),
        Entry::committee::<Subspace>(),
        Entry::committee::<OneRest>(),
        Entry::committee::<Pairs>(),
        Entry::committee::<Ecoc>(),
        Entry::committee::<Stack>().small(&[("folds", "2")]),
        Entry::committee::<Prune>(),
    ]
}

/// What combines the labels of experts.
fn label_combiners() -> Vec<Entry> {
    let ways = [
        Entry::either::<LabelsAuto>(),
        Entry::either::<EvoBn>(),
        Entry::either::<LabelsConditional>(),
        Entry::either::<LabelsK2>(),
        Entry::either::<LabelsHc>(),
        Entry::either::<LabelsTan>(),
        Entry::either::<LabelsNaive>(),
        Entry::either::<LabelsLoglinear>(),
        Entry::either::<LabelsHidden>(),
        Entry::either::<LabelsDs>(),
        Entry::either::<LabelsVote>(),
        Entry::either::<LabelsWeighted>(),
        Entry::either::<LabelsStack>(),
    ];
    ways.map(|way| way.small(&[("folds", "2")])).into()
}

/// The method `name`, with its members where it names some, and the given settings, checked.
///
/// A setting of a member has the member's number before it: `2.depth`.
pub fn make(name: &str, settings: &[Setting]) -> Result<Box<dyn Method>> {
    build(&Spec::parse(name)?, settings)
}

/// The entry of a name without members. The error of another name says which method is meant by it
/// elsewhere, or has the nearest name.
pub fn entry(name: &str) -> Result<Entry> {
    let registry = registry();
    registry.iter().find(|entry| entry.name == name).copied().ok_or_else(|| {
        let known = registry.iter().map(|entry| entry.name);
        Error::unknown_but("method", name, None, known, usual::meant(name).iter().copied())
    })
}

fn build(spec: &Spec, settings: &[Setting]) -> Result<Box<dyn Method>> {
    let entry = &entry(&spec.name)?;
    let mut spec = spec.clone();
    if spec.members.is_empty() && !entry.members.default.is_empty() {
        spec = Spec::parse(&format!("{}:{}", entry.name, entry.members.default))?;
    }
    check_number(entry, spec.members.len())?;
    let mut members = Vec::new();
    for (at, member) in spec.members.iter().enumerate() {
        members.push(build_member(member, &of_member(settings, at + 1))?);
    }
    let own: Vec<Setting> =
        settings.iter().filter(|(key, _)| number(key).is_none()).cloned().collect();
    if let Some((key, _)) = settings.iter().find(|(key, _)| number(key) > Some(members.len())) {
        let known = match members.len() {
            0 => format!("`{spec}` has no members; name them, as in {}:tree", entry.name),
            1 => format!("`{spec}` has one member"),
            n => format!("`{spec}` has {n} members"),
        };
        return Err(Error::unsuitable(
            format!("there is no member for the setting `{key}`"),
            known,
        ));
    }
    // What every method takes beside its own parameters.
    let (encode, own): (Vec<_>, Vec<_>) = own.into_iter().partition(|(key, _)| key == ENCODE);
    let (columns, own): (Vec<_>, Vec<_>) = own.into_iter().partition(|(key, _)| key == COLUMNS);
    let encoding = encode.last().map(|(_, text)| Encoding::parse(text)).transpose()?;
    let plain = !settings.iter().any(|(key, _)| number(key).is_some());
    let method = (entry.make)(Parts { name: spec.to_string(), own: &own, members, plain })?;
    let method: Box<dyn Method> = match encoding {
        None => method,
        Some(encoding) => Box::new(WithEncoding { method, encoding }),
    };
    Ok(match columns.last() {
        None => method,
        Some((_, text)) => Box::new(WithColumns::new(method, text)?),
    })
}

/// A method by name that may be part of a committee: one that predicts classes.
pub(crate) fn expert(name: &str) -> Result<Box<dyn Method>> {
    build_member(&Spec::parse(name)?, &[])
}

fn build_member(spec: &Spec, settings: &[Setting]) -> Result<Box<dyn Method>> {
    let member = build(spec, settings)?;
    if member.predicts() == Predicts::Number {
        return Err(Error::unsuitable(
            format!("`{spec}` predicts a number and cannot be a member: members vote on classes"),
            Remedy::ListMethods,
        ));
    }
    Ok(member)
}

fn check_number(entry: &Entry, members: usize) -> Result<()> {
    let Members { least, most, .. } = entry.members;
    if (least..=most).contains(&members) {
        return Ok(());
    }
    let name = entry.name;
    let help = match most {
        0 => Remedy::NoMembers { method: name },
        1 => format!("name one, such as {name}:tree").into(),
        _ => format!("name {least} to {most} members").into(),
    };
    let takes = match most {
        0 => "no members".to_owned(),
        1 => "one member".to_owned(),
        _ => format!("{least} to {most} members"),
    };
    Err(Error::unsuitable(format!("`{name}` takes {takes}, not {members}"), help))
}

/// The settings of member `wanted`, without its number.
fn of_member(settings: &[Setting], wanted: usize) -> Vec<Setting> {
    let own = settings.iter().filter(|(key, _)| number(key) == Some(wanted));
    let bare = |(key, value): &Setting| {
        let name = key.split_once('.').map_or(key.as_str(), |(_, name)| name);
        (name.to_owned(), value.clone())
    };
    own.map(bare).collect()
}

/// The member that a setting is for.
fn number(key: &str) -> Option<usize> {
    key.split_once('.').and_then(|(number, _)| number.parse().ok())
}
