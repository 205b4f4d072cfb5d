//! The constants of the search for relevance vector machines, all in one place.
//!
//! What a caller may change is not here: the parameters of the methods (`options`,
//! `classification`, `regression`) and [`Settings`](super::fast::Settings), whose defaults are. Nor
//! are details of the memory layout: block sizes of loops and SIMD lanes stand beside their loops in
//! `design`, `irls` and `classification_model`.
//!
//! Gains are in nats of log evidence.

use super::low_rank::Rank;

/// What several parts of the search share.
pub(super) struct Tuning;

impl Tuning {
    /// The least gain that is worth a basis. Larger: fewer bases, a lower evidence. Smaller: bases
    /// that rounding adds and deletes for ever.
    pub(super) const GAIN: f64 = 0.01;
    /// A smaller change of log alpha is none. Larger: precisions end farther from their optimum.
    pub(super) const CHANGE: f64 = 1e-3;
    /// The most sweeps through the design matrix; a search that converges needs fewer.
    pub(super) const SWEEPS: usize = 200;
    /// Bases with a larger cosine are duplicates: with both in the model its Hessian would be
    /// nearly singular.
    pub(super) const MAX_COSINE: f64 = 1.0 - 1e-6;

    /// `GAIN` of a coarse search, for models that are only compared with each other.
    pub(super) const COARSE_GAIN: f64 = 0.1;
    /// `CHANGE` of a coarse search, and of any search while it still adds bases.
    pub(super) const COARSE_CHANGE: f64 = 0.1;
    /// `SWEEPS` of a coarse search.
    pub(super) const COARSE_SWEEPS: usize = 8;

    /// Rows of the sample on which widths and scales are tried. Larger: a surer choice, slower.
    pub(super) const TRIAL_ROWS: usize = 300;
    /// Rows of every class that a sample has at least, if there are so many.
    pub(super) const CLASS_ROWS: usize = 5;

    /// The most Newton steps to a mode. The log posterior is concave: ten are plenty but for
    /// separable classes.
    pub(super) const NEWTON_STEPS: usize = 100;
    /// The most halvings of a Newton step; with none that helps the mode is found up to rounding.
    pub(super) const STEP_HALVINGS: usize = 40;
    /// The least Newton decrement that is worth a step of [`Irls`](super::irls::Irls). Smaller: an
    /// evidence that is more exact than a gain needs.
    pub(super) const NEWTON_DECREMENT: f64 = 1e-7;

    /// Rank-one updates between two computations from scratch. Larger: more rounding error.
    pub(super) const REFRESH: usize = 64;
    /// A precision is at most so many times the square of its basis: beyond, the basis has no
    /// effect.
    pub(super) const HIGHEST_ALPHA: f64 = 1e12;
    /// The square of a basis is at most so many times its precision: targets far from 0 need a bias
    /// that is far larger than the noise.
    pub(super) const LOWEST_ALPHA: f64 = 1e26;
    /// The least residual degrees of freedom in an estimate of the noise, as a share of the rows: a
    /// model that interpolates has none.
    pub(super) const RESIDUAL_FREEDOM: f64 = 1e-3;
    /// The initial noise, as a share of the variance of the targets.
    pub(super) const INITIAL_NOISE: f64 = 0.1;
    /// The least noise, as a share of the variance of the targets and of their mean square: less
    /// is rounding error.
    pub(super) const NOISE_FLOOR: [f64; 2] = [1e-8, 1e-22];
}

/// The pool of candidates of the fast search, for numbers and classes.
pub(super) struct PoolTuning;

impl PoolTuning {
    /// Candidates that a sweep takes into the pool. Larger: fewer sweeps, dearer actions.
    pub(super) const SIZE: usize = 64;
    /// Candidates of the first pool, and bases with which the backward search starts. Larger: a
    /// better start, in cubic time.
    pub(super) const FIRST: usize = 128;
    /// Candidates of a pool first differ by this cosine at least: kernels of neighbours are nearly
    /// collinear, and one of them is enough.
    pub(super) const COSINE: f64 = 0.98;
    /// Rows from which those cosines are estimated.
    pub(super) const COSINE_ROWS: usize = 64;
    /// A candidate may lose so many times the least gain: once another basis has changed, it may be
    /// worth it.
    pub(super) const TOLERATED_LOSSES: f64 = 10.0;
    /// The least share of a candidate's square that the model does not explain; less is rounding
    /// error.
    pub(super) const INDEPENDENT_SHARE: f64 = 1e-10;
}

/// The fast search for two classes.
pub(super) struct ClassTuning;

impl ClassTuning {
    /// The least precision, as a share of the mean square of the bases: a basis may move the
    /// log-odds by a thousand. For separable classes the evidence would rise for ever.
    pub(super) const LEAST_ALPHA: f64 = 1e-6;
    /// Bases from which that mean square is estimated.
    pub(super) const SQUARE_BASES: usize = 64;
    /// The most modes within one pool, and in one optimisation of the precisions.
    pub(super) const MODES: usize = 200;
    /// The most actions around one mode.
    pub(super) const ACTIONS: usize = 1000;
    /// Modes without a gain before a pool is left: a basis with a gain around the old mode may have
    /// none around its own, and would be added and deleted for ever.
    pub(super) const MODE_PATIENCE: usize = 3;
    /// Precisions have converged when they gain less than this share of the least gain: those of
    /// separable classes fall slowly to their least value.
    pub(super) const STILL_GAIN: f64 = 0.01;
    /// One basis more may be added around the same mode for so many bases in the model. Smaller:
    /// fewer modes, worse estimates of the gains.
    pub(super) const BASES_PER_ADDITION: usize = 16;
    /// Replacements that are tried for each basis in the model, and for all of them.
    pub(super) const REPLACEMENTS: usize = 3;
    pub(super) const MOST_REPLACEMENTS: usize = 24;
    /// The estimated loss of a replacement that is still tried.
    pub(super) const REPLACEMENT_LOSS: f64 = 1.0;
    /// Sweeps without a gain before a climb ends.
    pub(super) const SWEEP_PATIENCE: usize = 3;
    /// The most restarts from the best model.
    pub(super) const RESTARTS: usize = 4;
}

/// The fast search for numbers.
pub(super) struct NumberTuning;

impl NumberTuning {
    /// The most rounds of actions and noise within a pool.
    pub(super) const ROUNDS: usize = 100;
    /// The most actions within a pool: so many, and so many for each candidate. With rounding
    /// errors actions may undo each other for ever.
    pub(super) const ACTIONS: [usize; 2] = [100, 10];
    /// The first rounds, and the most actions in each of them: then the noise is near.
    pub(super) const FIRST_ROUNDS: usize = 8;
    pub(super) const FIRST_ACTIONS: usize = 5;
    /// The most actions in each later round.
    pub(super) const LATER_ACTIONS: usize = 1000;
    /// A smaller change of the logarithm of the noise is none.
    pub(super) const NOISE_CHANGE: f64 = 1e-5;
    /// The factors of the initial precisions of the backward searches: wide kernels fit numbers
    /// with large weights that cancel each other, which needs small precisions.
    pub(super) const PRECISION_FACTORS: [f64; 4] = [1e-4, 1e-2, 1.0, 1e2];
}

/// The classic algorithm.
pub(super) struct ClassicTuning;

impl ClassicTuning {
    /// The most rounds.
    pub(super) const ROUNDS: usize = 2000;
    /// The rounds within which the evidence must have gained: it rises slowly.
    pub(super) const WINDOW: usize = 50;
    /// A basis is pruned when its precision is so many times its square: the data then change its
    /// weight by less than the inverse share.
    pub(super) const PRUNE_ALPHA: f64 = 1e9;
    /// The window, the least gain and the least Newton decrement where it only prunes the bases
    /// with which the fast search starts.
    pub(super) const PRUNING_WINDOW: usize = 5;
    pub(super) const PRUNING_GAIN: f64 = 0.5;
    pub(super) const PRUNING_DECREMENT: f64 = 0.01;
}

/// The fit to all rows of what was found on some of them.
pub(super) struct AllRowsTuning;

impl AllRowsTuning {
    /// Rounds of more bases. More: nearer to a search on all rows, slower.
    pub(super) const ROUNDS: usize = 3;
    /// Candidates of a round for all classes together, and for each of them at least. Their products
    /// take a time that grows with the square.
    pub(super) const CANDIDATES: usize = 160;
    pub(super) const LEAST_CANDIDATES: usize = 16;
    /// The most bases of a sum.
    pub(super) const MOST: usize = 250;
    /// The least gain that is worth a basis. The rows are many: with that of a search, bases would
    /// be added that change hardly anything.
    pub(super) const GAIN: f64 = 1.0;
    /// The most looks at all rows on the way to a mode, and the Newton decrement that ends it.
    pub(super) const PASSES: usize = 50;
    pub(super) const DECREMENT: f64 = 1e-2;
    /// The share of what a step promises that it must hold, and the least step.
    pub(super) const DESCENT: f64 = 1e-4;
    pub(super) const LEAST_STEP: f64 = 1e-6;
}

/// Several classes under one likelihood. Gains and changes are those of [`Tuning`].
pub(super) struct SoftmaxTuning;

impl SoftmaxTuning {
    /// The most rounds over all classes.
    pub(super) const ROUNDS: usize = 20;
    /// Rounds without a gain before the ascent ends.
    pub(super) const PATIENCE: usize = 2;
    /// The least Newton decrement to the joint mode: it is found once a round and can be exact.
    pub(super) const NEWTON_DECREMENT: f64 = 1e-10;
}

/// The choice of the width.
pub(super) struct WidthTuning;

impl WidthTuning {
    /// Rows whose median distance is the middle of the widths.
    pub(super) const MEDIAN_ROWS: usize = 200;
    /// Steps of sqrt 2 to either side of the median, and further ones down.
    pub(super) const STEPS: i32 = 4;
    pub(super) const FURTHER_STEPS: i32 = 8;
    /// Folds of the cross-validation.
    pub(super) const FOLDS: usize = 5;
    /// Scores that differ by less are equal, as those of models without any kernel are.
    pub(super) const EQUAL: f64 = 1e-3;
    /// Widths in a row without a better score before the search ends.
    pub(super) const PATIENCE: usize = 3;
    /// With fewer vectors a model is never saturated: it takes no time.
    pub(super) const FEW_VECTORS: usize = 50;
    /// The least gain over a model without kernels that is clear, in nats a row.
    pub(super) const CLEAR_GAIN: f64 = 0.1;
}

/// The choice among many inputs.
pub(super) struct InputTuning;

impl InputTuning {
    /// So many inputs are few: they are not chosen from.
    pub(super) const FEW: usize = 30;
    /// How many inputs that say nothing may be expected among those that are kept. Larger: less is
    /// missed, and more noise is kept.
    pub(super) const EXPECTED: [f64; 3] = [0.1, 1.0, 5.0];
    /// Intervals into which an input is cut at most, and the rows that an interval has at least on
    /// average.
    pub(super) const INTERVALS: usize = 8;
    pub(super) const INTERVAL_ROWS: usize = 15;
}

/// The scales of the inputs. The least gain is that of a coarse search.
pub(super) struct ScaleTuning;

impl ScaleTuning {
    /// The logarithms of the scales at which ascents start: those of the width, half of it and a
    /// quarter. An ascent from wide kernels alone may miss what is curved.
    pub(super) const STARTS: [f64; 3] = [0.0, std::f64::consts::LN_2, 2.0 * std::f64::consts::LN_2];
    /// The most searches of an ascent.
    pub(super) const ROUNDS: usize = 60;
    /// Searches without a gain before an ascent ends.
    pub(super) const PATIENCE: usize = 10;
    /// The first, the least and the largest Rprop step of the logarithm of a scale.
    pub(super) const FIRST_STEP: f64 = 0.2;
    pub(super) const LEAST_STEP: f64 = 0.01;
    pub(super) const LARGEST_STEP: f64 = 1.0;
    /// The factors of a step whose derivative keeps or changes its sign.
    pub(super) const GROW: f64 = 1.3;
    pub(super) const SHRINK: f64 = 0.5;
    /// The logarithm of a scale stays within this of 0: a scale of a thousandth or a thousand.
    pub(super) const LARGEST_LOG: f64 = 7.0;
}

/// The k-centre cover of the training rows, and what a prediction says of it.
pub(super) struct CoverTuning;

impl CoverTuning {
    /// The most centres, and the most numbers that they may have together: they are saved with the
    /// model. Larger: a closer cover.
    pub(super) const CENTRES: usize = 100;
    pub(super) const NUMBERS: usize = 10_000;
    /// The quantile of the distances to the nearest other centre that is no excess.
    pub(super) const QUANTILE: f64 = 0.9;
    /// The least share of the variance of the targets that an explanation mentions.
    pub(super) const NOTABLE_SHARE: f64 = 0.01;
}

/// Bounds that keep sums and products within the range of an f64. They change no result of ordinary
/// data.
pub(super) struct NumericLimits;

impl NumericLimits {
    /// Inputs, targets and the given noise: their squares can be summed.
    pub(super) const DATA: f64 = 1e60;
    /// The least standard deviation of the targets: their squares are normal numbers.
    pub(super) const LEAST_SPREAD: f64 = 1e-100;
    /// Targets that vary less, as a share of the largest, are constant but for rounding.
    pub(super) const CONSTANT_SPREAD: f64 = 1e-14;
    /// The least noise that can be given, as a share of the spread of the targets.
    pub(super) const LEAST_GIVEN_NOISE: f64 = 1e-7;
    /// The least variance of the noise, however small the targets.
    pub(super) const LEAST_NOISE: f64 = 1e-200;
    /// The least predicted variance whose logarithm is taken.
    pub(super) const LEAST_VARIANCE: f64 = 1e-300;
    /// The least probability whose logarithm is taken where widths are compared.
    pub(super) const LEAST_PROBABILITY: f64 = 1e-12;
    /// Values of a polynomial kernel, distances, widths. A kernel of this width is constant.
    pub(super) const KERNEL: f64 = 1e100;
    /// Widths that may be given.
    pub(super) const WIDTHS: std::ops::RangeInclusive<f64> = 1e-100..=1e100;
    /// Distances outside of this range are left out of the median.
    pub(super) const DISTANCES: std::ops::Range<f64> = 1e-50..1e50;
    /// Numbers of a model file, and sums of its bases.
    pub(super) const MODEL: f64 = 1e150;
    /// Widths of a model file.
    pub(super) const MODEL_WIDTHS: std::ops::RangeInclusive<f64> = 1e-150..=1e150;
    /// Scales of a model file; that of an input that does not count is 0.
    pub(super) const SCALES: std::ops::RangeInclusive<f64> = 1e-10..=1e10;
}

/// The projection onto a reference (`soft`).
pub(super) struct SoftTuning;

impl SoftTuning {
    /// Widths that are tried for the reference, as factors of the median distance between rows.
    pub(super) const WIDTHS: [f64; 6] = [4.0, 2.0, 1.0, 0.5, 0.25, 0.125];
    /// Halvings of the narrowest width that are tried while it is the best: chessboards need them.
    pub(super) const NARROWER: usize = 4;
    /// Prior precisions of the reference's weights that are tried.
    pub(super) const PENALTIES: [f64; 8] = [64.0, 16.0, 4.0, 1.0, 0.25, 0.0625, 0.0156, 0.0039];
    /// Differences of a log-likelihood below this are none.
    pub(super) const EQUAL: f64 = 1e-9;
    /// Rows from which the median distance is taken.
    pub(super) const MEDIAN_ROWS: usize = 500;
    /// Features of the reference where widths and penalties are compared. Larger: slower.
    pub(super) const TRIAL_RANK: Rank = Rank { most: 100, unexplained: 1e-3 };
    /// Features of the reference itself.
    pub(super) const FULL_RANK: Rank = Rank { most: 250, unexplained: 1e-5 };
    /// The least Newton decrement that is worth a step: nats.
    pub(super) const DECREMENT: f64 = 1e-4;
    /// The prior precision of a bias.
    pub(super) const BIAS_PRECISION: f64 = 1e-6;
    /// The prior precision of a projected weight: it keeps weights of nearly collinear bases from
    /// growing against each other.
    pub(super) const WEIGHT_PRECISION: f64 = 1e-3;
    /// Widths of the dictionary, as factors of that of the reference.
    pub(super) const RESOLUTIONS: [f64; 3] = [2.0, 1.0, 0.5];
    /// The share of a basis's square that others must leave for it to add anything.
    pub(super) const SPANNED: f64 = 1e-6;
    /// A divergence in nats over all rows that is too little to matter: chance alone makes as much.
    pub(super) const LEAST_DIVERGENCE: f64 = 0.5;
    /// Candidates of a tournament: small ones explore, large ones refine.
    pub(super) const TOURNAMENTS: [usize; 3] = [4, 32, 256];
    /// The most moves of one mutation.
    pub(super) const MOVES: usize = 2;
    /// Subsets that are tried at a time, in parallel.
    pub(super) const CHILDREN: usize = 8;
}
