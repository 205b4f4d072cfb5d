//! Hill climbing and tabu search over adding, deleting and reversing arcs.
//!
//! What toggling an arc would bring is kept for every pair of nodes and computed anew for the
//! nodes whose parents changed; reversing is deleting and adding. With a tabu list the search also
//! goes down, but not back to a pair of nodes that it changed a short while ago unless that gives
//! the best score so far (Glover 1989), and ends when nothing better came for a while.

use super::{Learnt, above};
use crate::error::{Error, Result};
use crate::evolve::{Rng, below, rng};
use crate::network::dag::Reach;
use crate::network::score::{with, without};
use crate::network::{Constraints, Dag, Scorer};
use crate::run::{Run, StopReason};

/// How to climb.
#[derive(Debug, Clone, PartialEq)]
pub struct Climb {
    /// For how many moves a changed pair of nodes is left alone; 0 for plain hill climbing.
    pub tabu: usize,
    /// After how many moves without a better score the search ends. Plain hill climbing ends at
    /// once.
    pub patience: usize,
    /// How often the best structure is disturbed and climbed from again.
    pub restarts: usize,
    /// How many random changes disturb it.
    pub changes: usize,
}

impl Climb {
    /// Plain hill climbing.
    pub fn greedy() -> Self {
        Self { tabu: 0, patience: 0, restarts: 0, changes: 8 }
    }

    /// Tabu search.
    pub fn tabu() -> Self {
        Self { tabu: 24, patience: 60, ..Self::greedy() }
    }

    /// Sets how often the search begins again.
    #[must_use]
    pub fn restarts(mut self, restarts: usize) -> Self {
        self.restarts = restarts;
        self
    }
}

/// Climbs from a structure, or from the required arcs alone.
pub fn climb(
    scorer: &Scorer<'_>,
    constraints: &Constraints,
    start: Option<&Dag>,
    how: &Climb,
    run: &Run<'_>,
) -> Result<Learnt> {
    let least = constraints.start(scorer.data())?;
    let start = match start {
        Some(start) if !constraints.admit(scorer.data(), start) => {
            return Err(Error::unsuitable(
                "the structure to begin with does not meet the constraints",
                "begin with another structure, or change the constraints",
            ));
        }
        Some(start) => start.clone(),
        None => least,
    };
    let run = &run.task("climb", 0);
    let mut hill = Hill::new(scorer, constraints, &start, run);
    let mut best = hill.ascend(how, run);
    for restart in 0..how.restarts {
        if run.stop.requested() {
            break;
        }
        hill.begin(&best.dag, run);
        hill.disturb(how.changes, &mut rng(run.seed.child("restart", restart as u64)));
        let found = hill.ascend(how, run);
        if above(found.score, best.score) {
            best = found;
        }
    }
    if run.stop.requested() {
        best.stop = StopReason::Interrupted;
    }
    Ok(best)
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    Add,
    Delete,
    Reverse,
}

#[derive(Debug, Clone, Copy)]
struct Move {
    change: Change,
    parent: u32,
    child: u32,
    gain: f64,
}

/// A structure with what every change of it would bring.
struct Hill<'s, 'a> {
    scorer: &'s Scorer<'a>,
    constraints: &'s Constraints,
    allowed: Vec<bool>,
    required: Vec<bool>,
    dag: Dag,
    reach: Reach,
    local: Vec<f64>,
    /// `gain[child * n + parent]`: of adding the arc, or of deleting it where it is there;
    /// negative infinity where it may not be toggled.
    gain: Vec<f64>,
    tabu: Vec<usize>,
    turn: usize,
}

impl<'s, 'a> Hill<'s, 'a> {
    fn new(scorer: &'s Scorer<'a>, constraints: &'s Constraints, dag: &Dag, run: &Run<'_>) -> Self {
        let n = dag.nodes();
        let mut required = vec![false; n * n];
        constraints
            .required
            .iter()
            .for_each(|&(p, c)| required[c as usize * n + p as usize] = true);
        let allowed = (0..n * n).map(|at| constraints.allows((at % n) as u32, (at / n) as u32));
        let mut hill = Self {
            scorer,
            constraints,
            allowed: allowed.collect(),
            required,
            reach: Reach::of(dag),
            dag: Dag::new(n),
            local: vec![0.0; n],
            gain: vec![0.0; n * n],
            tabu: vec![0; n * n],
            turn: 0,
        };
        hill.begin(dag, run);
        hill
    }

    /// Begins with a structure.
    fn begin(&mut self, dag: &Dag, run: &Run<'_>) {
        self.dag = dag.clone();
        self.reach.renew(dag);
        self.tabu.fill(0);
        self.turn = 0;
        let n = dag.nodes();
        let rows = run.pool.map(n, |child| self.gains(child));
        for (child, (local, gains)) in rows.into_iter().enumerate() {
            self.local[child] = local;
            self.gain[child * n..(child + 1) * n].copy_from_slice(&gains);
        }
    }

    /// The score of a node and the gain of toggling each of its arcs.
    fn gains(&self, child: usize) -> (f64, Vec<f64>) {
        let (n, parents) = (self.dag.nodes(), self.dag.parents(child));
        let local = self.scorer.local(child, parents);
        let mut gains = vec![f64::NEG_INFINITY; n];
        let (mut open, mut set) = (Vec::new(), Vec::new());
        for parent in 0..n as u32 {
            let at = child * n + parent as usize;
            if parents.binary_search(&parent).is_ok() {
                if !self.required[at] {
                    without(parents, parent, &mut set);
                    gains[parent as usize] = self.scorer.local(child, &set) - local;
                }
            } else if self.allowed[at] {
                with(parents, parent, &mut set);
                if self.constraints.fits(self.scorer.data(), child, &set) {
                    open.push(parent);
                }
            }
        }
        let mut scores = Vec::new();
        self.scorer.extensions(child, parents, &open, &mut scores);
        open.iter().zip(scores).for_each(|(&at, score)| gains[at as usize] = score - local);
        (local, gains)
    }

    /// Climbs until the end and yields the best structure on the way.
    fn ascend(&mut self, how: &Climb, run: &Run<'_>) -> Learnt {
        let mut score: f64 = self.local.iter().sum();
        let mut best = Learnt { dag: self.dag.clone(), score, stop: StopReason::Finished };
        let mut fruitless = 0;
        while !run.stop.requested() {
            let Some(step) = self.best_move(how, best.score - score) else { break };
            if how.tabu == 0 && step.gain <= 1e-9 {
                break;
            }
            self.apply(step, how.tabu);
            score = self.local.iter().sum();
            run.watch.advance(1);
            if above(score, best.score) {
                (best.dag, best.score, fruitless) = (self.dag.clone(), score, 0);
                run.watch.figure("score", score);
            } else {
                fruitless += 1;
                if fruitless > how.patience {
                    break;
                }
            }
        }
        best
    }

    /// The best change that may be made; `lag` is how far the present structure is behind the best
    /// one. Among equals the first by child, by parent, and adding or deleting before reversing.
    fn best_move(&self, how: &Climb, lag: f64) -> Option<Move> {
        let mut best: Option<Move> = None;
        self.each_move(|step| {
            let n = self.dag.nodes();
            if best.is_some_and(|known| !above(step.gain, known.gain)) {
                return;
            }
            let pair =
                step.child.min(step.parent) as usize * n + step.child.max(step.parent) as usize;
            let barred = how.tabu > 0 && self.tabu[pair] > self.turn;
            if !barred || above(step.gain, lag) {
                best = Some(step);
            }
        });
        best
    }

    /// Visits all changes that leave a graph without cycles and within the constraints.
    fn each_move(&self, mut visit: impl FnMut(Move)) {
        let n = self.dag.nodes();
        for child in 0..n as u32 {
            let row = &self.gain[child as usize * n..(child as usize + 1) * n];
            let parents = self.dag.parents(child as usize);
            let mut next = 0;
            for parent in 0..n as u32 {
                let gain = row[parent as usize];
                if parents.get(next) != Some(&parent) {
                    if gain > f64::NEG_INFINITY && !self.reach.has(child, parent) {
                        visit(Move { change: Change::Add, parent, child, gain });
                    }
                    continue;
                }
                next += 1;
                if gain == f64::NEG_INFINITY {
                    continue;
                }
                visit(Move { change: Change::Delete, parent, child, gain });
                let back = self.gain[parent as usize * n + child as usize];
                let around = |other: &u32| *other != parent && self.reach.has(parent, *other);
                if back > f64::NEG_INFINITY && !parents.iter().any(around) {
                    let gain = gain + back;
                    visit(Move { change: Change::Reverse, parent, child, gain });
                }
            }
        }
    }

    fn apply(&mut self, step: Move, tabu: usize) {
        let (n, Move { parent, child, .. }) = (self.dag.nodes(), step);
        self.change(step);
        self.turn += 1;
        let pair = child.min(parent) as usize * n + child.max(parent) as usize;
        self.tabu[pair] = self.turn + tabu;
    }

    fn change(&mut self, step: Move) {
        let Move { change, parent, child, .. } = step;
        let mut parents: Vec<Vec<u32>> = std::mem::replace(&mut self.dag, Dag::new(0)).into();
        let mut set = Vec::new();
        if change == Change::Add {
            with(&parents[child as usize], parent, &mut set);
        } else {
            without(&parents[child as usize], parent, &mut set);
        }
        std::mem::swap(&mut parents[child as usize], &mut set);
        if change == Change::Reverse {
            with(&parents[parent as usize], child, &mut set);
            std::mem::swap(&mut parents[parent as usize], &mut set);
        }
        self.dag = Dag::trusted(parents);
        self.reach.renew(&self.dag);
        self.refresh(child as usize);
        if change == Change::Reverse {
            self.refresh(parent as usize);
        }
    }

    fn refresh(&mut self, child: usize) {
        let n = self.dag.nodes();
        let (local, gains) = self.gains(child);
        self.local[child] = local;
        self.gain[child * n..(child + 1) * n].copy_from_slice(&gains);
    }

    /// Makes random changes.
    fn disturb(&mut self, changes: usize, rng: &mut Rng) {
        for _ in 0..changes {
            let mut count = 0;
            self.each_move(|_| count += 1);
            if count == 0 {
                return;
            }
            let (wanted, mut at, mut step) = (below(count, rng), 0, None);
            self.each_move(|one| {
                if at == wanted {
                    step = Some(one);
                }
                at += 1;
            });
            if let Some(step) = step {
                self.change(step);
            }
        }
    }
}
