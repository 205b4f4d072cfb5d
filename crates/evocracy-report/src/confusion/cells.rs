//! The cells with their shades and texts.

use super::Matrix;
use crate::svg::{Anchor, Area, Attributes, Svg};
use crate::text::{count, short_count, width};
use crate::theme::{Colours, mix, text_on};

/// The largest texts.
const MOST_SIZE: f64 = 17.0;

/// The shades of the smallest share that is not zero, and of a whole row: not so dark that
/// texts would have to change their colour just there.
const LEAST_SHADE: f64 = 0.05;
const MOST_SHADE: f64 = 0.88;
/// Less than 1, so that mistakes, which are few, can be told apart.
const DEPTH: f64 = 0.65;

/// From so many classes on, zeros are left out, to keep the picture calm.
const MANY: usize = 8;

pub(super) struct Cells<'a> {
    pub(super) matrix: &'a Matrix,
    pub(super) area: Area,
    pub(super) cell: f64,
    pub(super) colours: Colours,
    /// The colours of the kinds of calls.
    pub(super) tints: [&'static str; 3],
}

/// What a call is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Call {
    Right,
    Wrong,
    /// One of several classes for one of them.
    Unknown,
}

/// How numbers are written in all cells.
#[derive(Debug, Clone, Copy)]
struct Style {
    size: f64,
    counts: Option<fn(f64) -> String>,
    percents: fn(f64) -> String,
    /// What the figures are, where that is not plain.
    says: Option<&'static str>,
}

impl Cells<'_> {
    /// Draws all cells; what their figures are, where they do not say so themselves.
    pub(super) fn draw(&self, svg: &mut Svg) -> Option<&'static str> {
        let classes = self.matrix.names.len();
        let style = self.style();
        for (truth, called) in (0..classes).flat_map(|t| (0..classes).map(move |c| (t, c))) {
            self.cell(svg, truth, called, style);
        }
        svg.open("g", &[("stroke", &self.colours.grid), ("stroke-width", &"1")]);
        let Area { x, y, .. } = self.area;
        for line in 1..classes {
            let at = self.cell * line as f64;
            svg.line((x + at, y), (x + at, self.area.bottom()), &[]);
            svg.line((x, y + at), (self.area.right(), y + at), &[]);
        }
        svg.close();
        svg.rect(self.area, &[("fill", &"none"), ("stroke", &self.colours.frame)]);
        style.and_then(|s| s.says)
    }

    /// The colour of a cell that has that share of its row.
    pub(super) fn shade(&self, share: f64, call: Call) -> String {
        let deep = share.powf(DEPTH) * MOST_SHADE;
        let deep = if share > 0.0 { deep.max(LEAST_SHADE) } else { 0.0 };
        mix(self.colours.page, self.tints[call as usize], deep)
    }

    fn cell(&self, svg: &mut Svg, truth: usize, called: usize, style: Option<Style>) {
        let names = &self.matrix.names;
        let Some(share) = self.matrix.share(truth, called) else { return };
        let rows = self.matrix.counts[truth * names.len() + called];
        let area = Area {
            x: self.area.x + self.cell * called as f64,
            y: self.area.y + self.cell * truth as f64,
            width: self.cell,
            height: self.cell,
        };
        if rows == 0.0 && names.len() >= MANY {
            return;
        }
        svg.open("g", &[("class", &"cell")]);
        let (rows_text, percent) = (count(rows), percent(share));
        let (truth_name, called_name) = (cut(&names[truth]), cut(&names[called]));
        let says = format!("truth {truth_name}, called {called_name}: {rows_text} ({percent})");
        svg.says("title", &says);
        let call = match truth == called {
            true if self.matrix.lumped && truth + 1 == names.len() => Call::Unknown,
            true => Call::Right,
            false => Call::Wrong,
        };
        let ground = self.shade(share, call);
        svg.rect(area, &[("fill", &ground)]);
        if let Some(style) = style {
            self.texts(svg, area, (rows, share), (style, &ground));
        }
        svg.close();
    }

    fn texts(
        &self,
        svg: &mut Svg,
        area: Area,
        (rows, share): (f64, f64),
        (style, ground): (Style, &str),
    ) {
        let mut lines = Vec::new();
        lines.extend(style.counts.map(|counts| counts(rows)));
        if rows > 0.0 {
            lines.push((style.percents)(share));
        }
        let colour = if rows > 0.0 { text_on(ground) } else { self.colours.muted };
        let middle = area.x + area.width / 2.0;
        let mut y = area.y + area.height / 2.0 - style.size * 0.6 * lines.len() as f64;
        for line in lines {
            y += style.size * 1.2;
            let look: Attributes<'_> = &[("font-size", &style.size), ("fill", &colour)];
            svg.words((middle, y - style.size * 0.25), Anchor::Middle, look, &line);
        }
    }

    /// The largest texts that fit into every cell, exact counts before short ones and those
    /// before none; `None` if nothing fits.
    fn style(&self) -> Option<Style> {
        let (both, alone) = (
            Some("in each cell: rows and, below, percent of the rows of that truth"),
            Some("in each cell: percent of the rows of that truth"),
        );
        // With the smallest size that each is worth: larger texts before more of them.
        let style = |size, counts, percents, says| Style { size, counts, percents, says };
        let forms = [
            style(10.0, Some(count), percent, None),
            style(9.5, Some(count), bare_percent, both),
            style(8.5, Some(short_count), bare_percent, both),
            style(8.0, None, bare_percent, alone),
        ];
        forms.into_iter().find_map(|form| {
            let size = self.fitting(form);
            (size >= form.size).then_some(Style { size, ..form })
        })
    }

    fn fitting(&self, form: Style) -> f64 {
        let Style { counts, percents, .. } = form;
        let classes = self.matrix.names.len();
        let mut widest = 1e-3_f64;
        for (truth, called) in (0..classes).flat_map(|t| (0..classes).map(move |c| (t, c))) {
            let rows = self.matrix.counts[truth * classes + called];
            let share = self.matrix.share(truth, called).unwrap_or(0.0);
            widest = widest.max(width(&percents(share), 1.0));
            widest = widest.max(counts.map_or(0.0, |counts| width(&counts(rows), 1.0)));
        }
        let lines = if counts.is_some() { 2.0 } else { 1.0 };
        let size = ((self.cell - 4.0) / widest).min((self.cell - 3.0) / (1.2 * lines));
        (size.min(MOST_SIZE).min(self.cell * 0.3) * 2.0).floor() / 2.0
    }
}

/// A share to a tenth of a percent; neither 0 nor 100 unless it is.
fn percent(share: f64) -> String {
    match share * 100.0 {
        p if p > 0.0 && p < 0.05 => "<0.1 %".to_owned(),
        p if (99.95..100.0).contains(&p) => "99.9 %".to_owned(),
        p if p == 100.0 || p == 0.0 => format!("{p:.0} %"),
        p => format!("{p:.1} %"),
    }
}

/// A share to a percent, without the sign; neither 0 nor 100 unless it is.
fn bare_percent(share: f64) -> String {
    match share * 100.0 {
        p if p > 0.0 && p < 0.5 => "<1".to_owned(),
        p if (99.5..100.0).contains(&p) => "99".to_owned(),
        p => format!("{p:.0}"),
    }
}

/// A name as far as anyone reads it, so that many cells stay a small file.
fn cut(name: &str) -> String {
    const MOST: usize = 40;
    if name.chars().count() <= MOST {
        return name.to_owned();
    }
    name.chars().take(MOST).chain(['…']).collect()
}
