//! From measured values to estimates, intervals, tests and verdicts.
//!
//! Everything here is a function of its arguments: no I/O, no clock, no globals. What is random takes a seed and gives the
//! same answer for the same seed. A comparison walks: [`balanced_order`] plans the blocks, [`looks`] says when to look and
//! what error each look may spend, [`judge`] decides, [`confirmed`] checks a found difference on fresh blocks, and
//! [`pairs_needed`] says how far an undecided one still is.

mod bimodal;
mod binomial;
mod bootstrap;
mod design;
mod dip;
mod growth;
mod interval;
mod location;
mod multiple;
mod need;
mod normal;
mod order;
mod paired;
mod percentile;
mod ranks;
mod rng;
mod sequential;
mod shape;
mod sign_flip;
mod trend;
mod unpaired;
mod values;
mod verdict;
mod walk;

pub use bimodal::{Bimodal, bimodality};
pub use binomial::{binomial_cdf, clopper_pearson};
pub use bootstrap::bootstrap_interval;
pub use design::balanced_order;
pub use growth::{Bend, Class, Cost, Estimate, Fit, Growth, LEAST_SIZES, Machine, growth, growth_on};
pub use interval::{median_interval, quantile_interval, run_interval};
pub use location::{cv, mad, mean, median, quantile, robust_cv, standard_deviation, trimmed_mean};
pub use multiple::{benjamini_hochberg, holm};
pub use need::{blocks_for, detectable, pairs_needed, spread};
pub use paired::{hodges_lehmann, sign_bounds, sign_interval, signed_rank_interval};
pub use percentile::{Percentile, percentile};
pub use rng::Rng;
pub use sequential::{CONFIRM_BLOCKS, CONFIRM_P, Look, confirm_blocks, looks};
pub use shape::{effective_n, lag1, outliers, steady};
pub use sign_flip::{SignFlip, sign_flip};
pub use trend::{Trend, trend};
pub use unpaired::{hodges_lehmann_shift, mann_whitney, rank_interval};
pub use values::{Interval, Values};
pub use verdict::{Judged, Rule, confirmed, judge};
pub use walk::{Step, next_step};
