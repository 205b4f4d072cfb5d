//! Where ranks lie on the axis, and which methods are joined.

use super::BAR;
use crate::svg::{Anchor, Attributes, Svg};
use crate::theme::Colours;

/// How many times longer than the axis the critical difference may be and still be drawn.
const LONGEST: f64 = 3.0;

/// Most numbers along the axis.
const MOST_TICKS: usize = 12;

/// The axis of ranks: the worst at the left, the best at the right.
pub(super) struct Scale {
    /// Where the axis may begin and end.
    pub(super) room: (f64, f64),
    worst: usize,
    /// Where the worst rank lies, and the pixels of one rank.
    left: f64,
    unit: f64,
}

impl Scale {
    /// An axis for so many methods. Where the critical difference is longer than all ranks, the
    /// axis is shorter than its room, so that the ruler above fits.
    pub(super) fn new(methods: usize, critical: Option<f64>, room: (f64, f64)) -> Self {
        let worst = methods.max(2);
        let ranks = (worst - 1) as f64;
        let longest = critical.filter(|c| *c <= LONGEST * ranks).map_or(ranks, |c| c.max(ranks));
        let unit = (room.1 - room.0) / longest;
        let left = f64::midpoint(room.0, room.1) - unit * ranks / 2.0;
        Self { room, worst, left, unit }
    }

    pub(super) fn x(&self, rank: f64) -> f64 {
        self.left + (self.worst as f64 - rank) * self.unit
    }

    /// The critical difference as a ruler.
    pub(super) fn ruler(&self, svg: &mut Svg, y: f64, critical: Option<f64>, colours: Colours) {
        let Some(critical) = critical else { return };
        let style: Attributes<'_> = &[("stroke", &colours.text), ("stroke-width", &"1.5")];
        let length = critical * self.unit;
        let drawn = length <= self.room.1 - self.room.0 + 1e-6;
        let left = if length > self.x(1.0) - self.left { self.room.0 } else { self.left };
        let text = if critical < 1e4 {
            format!("CD = {critical:.2}")
        } else {
            format!("CD = {critical:.1e}")
        };
        if !drawn {
            let text = format!("{text}, longer than the axis");
            let middle = f64::midpoint(self.room.0, self.room.1);
            svg.words((middle, y + 4.0), Anchor::Middle, &[], &text);
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
        for rank in ticks(self.worst) {
            let x = self.x(rank as f64);
            svg.line((x, y - 6.0), (x, y), style);
            let words: Attributes<'_> = &[("fill", &colours.muted), ("font-size", &"13")];
            svg.words((x, y - 11.0), Anchor::Middle, words, &rank.to_string());
        }
    }
}

/// The ranks that are numbered: both ends, and round numbers between that are not too close.
fn ticks(worst: usize) -> Vec<usize> {
    let round = [1, 2, 5, 10].into_iter().find(|s| worst / s <= MOST_TICKS);
    let step = round.unwrap_or_else(|| worst.div_ceil(MOST_TICKS));
    let mut ticks: Vec<usize> = (1..worst).filter(|r| r % step == 0 && worst - r >= step).collect();
    if ticks.first() != Some(&1) {
        ticks.retain(|r| r - 1 >= step.div_ceil(2));
        ticks.insert(0, 1);
    }
    ticks.push(worst);
    ticks
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
    /// The groups of ranks that are sorted, best first.
    pub(super) fn new(ranks: &[f64], critical: f64) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut reached = 0;
        for (first, &best) in ranks.iter().enumerate() {
            let last = ranks.partition_point(|&r| r - best < critical);
            if last > first + 1 && last > reached {
                reached = last;
                let worst = ranks[last - 1];
                // The first level where no bar is in the way; bars start from the best down, so
                // only the one that reaches farthest matters.
                let busy =
                    |level: &usize| groups.iter().any(|g| g.level == *level && g.worst >= best);
                let level = (0..).find(|l| !busy(l)).unwrap_or(0);
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
        Groups::new(ranks, critical).0.iter().map(|g| (g.best, g.worst, g.level)).collect()
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
        assert_eq!(groups(&[], 0.5), []);
    }

    #[test]
    fn ticks_are_few_and_have_both_ends() {
        for worst in [2, 3, 12, 13, 40, 1000] {
            let ticks = ticks(worst);
            assert!(ticks.len() <= MOST_TICKS + 1 && ticks.is_sorted(), "{ticks:?}");
            assert_eq!((ticks[0], ticks[ticks.len() - 1]), (1, worst));
        }
    }
}
