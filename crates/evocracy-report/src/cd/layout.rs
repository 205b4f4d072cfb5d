//! Where ranks lie on the axis, and which methods are joined.

use super::{BAR, MARGIN, WIDTH};
use crate::svg::{Anchor, Attributes, Svg};
use crate::theme::Colours;

/// The least distance of numbers along the axis, and of bars beside each other.
const APART: f64 = 26.0;
const GAP: f64 = 18.0;

/// The axis of ranks: the worst at the left, the best at the right.
pub(super) struct Scale {
    worst: usize,
    /// Where rank 0 would lie, and the pixels of one rank.
    zero: f64,
    unit: f64,
}

impl Scale {
    /// An axis for so many methods, as long as may be: it stays on the page, the methods drawn,
    /// which are sorted by rank, stay between the names at both sides, and the critical
    /// difference can be drawn as a ruler unless it is several times the range of ranks.
    pub(super) fn new(
        methods: usize,
        critical: Option<f64>,
        ranks: &[f64],
        (left, right): (f64, f64),
    ) -> Self {
        let worst = methods.max(2);
        let last = worst as f64;
        let (low, high) = match ranks {
            [first, .., last] => (*first, *last),
            [only] => (*only, *only),
            [] => (1.0, last),
        };
        let (from, to) = (MARGIN + 6.0, WIDTH - MARGIN - 6.0);
        let ruler = critical.filter(|c| *c <= 3.0 * (last - 1.0)).unwrap_or(0.0);
        // Each length must hold so many ranks.
        let unit = [
            (to - from, (last - 1.0).max(ruler)),
            (right - left, high - low),
            (to - left, high - 1.0),
            (right - from, last - low),
        ];
        let unit = unit.map(|(length, ranks)| length / ranks.max(1e-9)).into_iter();
        let unit = unit.fold(f64::INFINITY, f64::min);
        let least = (from + last * unit).max(left + high * unit);
        let most = (to + unit).min(right + low * unit);
        Self { worst, zero: f64::midpoint(least, most), unit }
    }

    pub(super) fn x(&self, rank: f64) -> f64 {
        self.zero - rank * self.unit
    }

    /// The ranks that bars beside each other are apart.
    pub(super) fn gap(&self) -> f64 {
        GAP / self.unit
    }

    /// The critical difference as a ruler.
    pub(super) fn ruler(&self, svg: &mut Svg, y: f64, critical: Option<f64>, colours: Colours) {
        let Some(critical) = critical else { return };
        let style: Attributes<'_> = &[("stroke", &colours.text), ("stroke-width", &"1.5")];
        let length = critical * self.unit;
        let text = match critical {
            c if c < 1e4 => format!("CD = {c:.2}"),
            c => format!("CD = {c:.1e}"),
        };
        // From the end of the axis, or as far left of it as the ruler needs.
        let left = self.x(self.worst as f64).min(WIDTH - MARGIN - length);
        if left < MARGIN - 1e-6 {
            let text = format!("{text}, longer than the axis");
            svg.words((self.x(self.worst as f64), y + 4.0), Anchor::Start, &[], &text);
            return;
        }
        svg.line((left, y + 12.0), (left + length, y + 12.0), style);
        for x in [left, left + length] {
            svg.line((x, y + 7.0), (x, y + 17.0), style);
        }
        // Above the ruler, or to the right of one that is shorter than the text.
        let (at, anchor) = if length > 90.0 {
            ((left + length / 2.0, y + 4.0), Anchor::Middle)
        } else {
            ((left + length + 8.0, y + 17.0), Anchor::Start)
        };
        svg.words(at, anchor, &[], &text);
    }

    pub(super) fn axis(&self, svg: &mut Svg, y: f64, colours: Colours) {
        let style: Attributes<'_> = &[("stroke", &colours.text), ("stroke-width", &"1.5")];
        svg.line((self.x(self.worst as f64), y), (self.x(1.0), y), style);
        for rank in ticks(self.worst, (APART / self.unit).ceil() as usize) {
            let x = self.x(rank as f64);
            svg.line((x, y - 6.0), (x, y), style);
            let words: Attributes<'_> = &[("fill", &colours.muted), ("font-size", &"13")];
            svg.words((x, y - 11.0), Anchor::Middle, words, &rank.to_string());
        }
    }
}

/// The ranks that are numbered: both ends, and round numbers between, at least so far apart.
fn ticks(worst: usize, apart: usize) -> Vec<usize> {
    let round = (0..19).flat_map(|power| [1, 2, 5].map(|first| first * 10_usize.pow(power)));
    let step = round.into_iter().find(|s| *s >= apart).unwrap_or(worst);
    let between = (step..worst).step_by(step).filter(|r| *r > apart && worst - r >= apart);
    [1].into_iter().chain(between).chain([worst]).collect()
}

/// Methods that are joined: the largest runs of ranks closer than the critical difference.
pub(super) struct Groups(Vec<Group>);

struct Group {
    best: f64,
    worst: f64,
    /// How many bars it stands below the axis.
    level: usize,
}

impl Groups {
    /// The groups of ranks that are sorted, best first. Bars beside each other are at least
    /// `apart` ranks apart, so that they do not seem to be one.
    pub(super) fn new(ranks: &[f64], critical: f64, apart: f64) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut reached = 0;
        for (first, &best) in ranks.iter().enumerate() {
            let last = ranks.partition_point(|&r| r - best < critical);
            if last > first + 1 && last > reached {
                reached = last;
                let worst = ranks[last - 1];
                // The first level where no bar is in the way; bars start from the best down, so
                // only the one that reaches farthest matters.
                let busy = |level: &usize| {
                    groups.iter().any(|g| g.level == *level && g.worst + apart >= best)
                };
                let level = (0..groups.len()).find(|l| !busy(l)).unwrap_or(groups.len());
                groups.push(Group { best, worst, level });
            }
        }
        Self(groups)
    }

    pub(super) fn levels(&self) -> usize {
        self.0.iter().map(|g| g.level + 1).max().unwrap_or(0)
    }

    pub(super) fn draw(&self, svg: &mut Svg, scale: &Scale, top: f64, colour: &'static str) {
        let style: Attributes<'_> =
            &[("stroke", &colour), ("stroke-width", &"4.5"), ("stroke-linecap", &"round")];
        for group in &self.0 {
            let y = top + BAR * group.level as f64;
            let (from, to) = (scale.x(group.worst) - 3.0, scale.x(group.best) + 3.0);
            svg.line((from, y), (to, y), style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(ranks: &[f64], critical: f64) -> Vec<(f64, f64, usize)> {
        Groups::new(ranks, critical, 0.1).0.iter().map(|g| (g.best, g.worst, g.level)).collect()
    }

    #[test]
    fn methods_closer_than_the_critical_difference_are_joined() {
        // Demšar 2006, section 3.2.2: at 0.10 the critical difference is 1.12, and C4.5 differs
        // from C4.5+m and C4.5+m+cf, not from C4.5+cf.
        let ranks = [1.964, 2.0, 2.893, 3.143];
        assert_eq!(groups(&ranks, 1.12), [(1.964, 2.893, 0), (2.893, 3.143, 1)]);
        // As far apart as the difference itself is different.
        assert_eq!(groups(&[1.0, 2.0], 1.0), []);
        assert_eq!(groups(&[2.0, 2.0, 2.0], 0.5), [(2.0, 2.0, 0)]);
        assert_eq!(groups(&[1.0, 1.1, 3.0, 3.1], 0.5), [(1.0, 1.1, 0), (3.0, 3.1, 0)]);
        // Bars that would touch stand on levels of their own.
        let close = [(1.0, 1.3, 0), (1.3, 1.38, 1), (1.38, 1.7, 2)];
        assert_eq!(groups(&[1.0, 1.3, 1.38, 1.7], 0.35), close);
        assert_eq!(groups(&[], 0.5), []);
    }

    #[test]
    fn ticks_are_few_and_have_both_ends() {
        for (worst, apart) in [(2, 1), (3, 1), (12, 1), (13, 2), (40, 3), (1000, 70), (3, 9)] {
            let ticks = ticks(worst, apart);
            let distances = ticks.windows(2).map(|t| t[1] - t[0]);
            assert!(ticks.len() == 2 || distances.min().unwrap() >= apart, "{ticks:?}");
            assert_eq!((ticks[0], ticks[ticks.len() - 1]), (1, worst));
        }
        assert_eq!(ticks(12, 1).len(), 12);
    }
}
