//! `slowpath.scale/1`: how does cost grow with the size of the input?

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bench::Warning;
use crate::suite::Suite;
use crate::{Gap, Metric, Unit};

pub const SCHEMA: &str = "slowpath.scale/1";

/// The name that stands for the size in a command: `{SIZE}`.
pub const PARAMETER: &str = "SIZE";

/// Where the costs of functions lie, one JSON object a size.
pub const FUNCTIONS: &str = "tier1/functions.json";

/// Where the plot lies.
pub const PLOT: &str = "growth.svg";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scale {
    pub schema: String,
    pub run: Option<String>,
    pub seed: u64,
    /// The command as it was written, `{SIZE}` and all.
    pub command: String,
    /// The answer in one sentence.
    pub summary: String,
    /// The metric that class, set and exponent are of: instructions where they were counted.
    pub metric: Metric,
    pub class: Class,
    /// Every class that cannot be told from it, the likeliest first.
    pub set: Vec<Class>,
    /// Exponent of the growth net of start-up; `null` for exponential growth, whose slope never settles.
    pub exponent: Option<Estimate>,
    /// The power of the size with which the memory grows that is used at once, the program's own aside; `null` where that is
    /// not seen.
    #[serde(default)]
    pub data: Option<Estimate>,
    /// Whether the growth is the expected one; `null` when none was named.
    pub gate: Option<Gate>,
    /// One for each metric that was measured, the leading one first.
    pub fits: Vec<Fit>,
    /// Growth of single functions, by their cost at the largest size; empty where they were not counted.
    pub functions: Vec<Function>,
    /// A suite that is the target grows by the sizes in its benchmarks' names: the family that grows worst is the answer
    /// above, all of them are here.
    pub suite: Option<Suite>,
    pub warnings: Vec<Warning>,
    pub gaps: Vec<Gap>,
}

/// A class of growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Class {
    /// The cost does not depend on the size.
    #[serde(rename = "1")]
    Constant,
    #[serde(rename = "log n")]
    Logarithmic,
    #[serde(rename = "sqrt n")]
    SquareRoot,
    #[serde(rename = "n")]
    Linear,
    #[serde(rename = "n log n")]
    Linearithmic,
    #[serde(rename = "n^1.5")]
    ThreeHalves,
    #[serde(rename = "n^2")]
    Quadratic,
    #[serde(rename = "n^2 log n")]
    QuadraticLogarithmic,
    #[serde(rename = "n^3")]
    Cubic,
    #[serde(rename = "2^n")]
    Exponential,
    #[serde(rename = "n!")]
    Factorial,
    /// A power that none of the others is; the exponent says which.
    #[serde(rename = "n^k")]
    Power,
}

impl Class {
    /// As it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Constant => "1",
            Self::Logarithmic => "log n",
            Self::SquareRoot => "sqrt n",
            Self::Linear => "n",
            Self::Linearithmic => "n log n",
            Self::ThreeHalves => "n^1.5",
            Self::Quadratic => "n^2",
            Self::QuadraticLogarithmic => "n^2 log n",
            Self::Cubic => "n^3",
            Self::Exponential => "2^n",
            Self::Factorial => "n!",
            Self::Power => "n^k",
        }
    }
}

/// A value with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// The growth of one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fit {
    pub metric: Metric,
    pub unit: Unit,
    /// Where the numbers come from: `pmu`, `cachegrind`, `rusage`.
    pub source: String,
    pub class: Class,
    /// Every class that cannot be told from it, the likeliest first.
    pub set: Vec<Likely>,
    pub exponent: Option<Estimate>,
    /// What an exponential multiplies by for each unit, where that is not 2.
    pub base: Option<f64>,
    /// Root mean square of the relative residuals of the best model.
    pub residual: f64,
    /// What costs the same at every size.
    pub fixed: Option<Estimate>,
    /// What one more unit costs at the largest size.
    pub marginal: Option<Estimate>,
    /// A size at which the growth changes.
    pub bend: Option<Bend>,
    pub predictions: Vec<Prediction>,
    /// By size.
    pub points: Vec<Point>,
}

/// A class and how likely it is, given that one of the set is right.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Likely {
    pub class: Class,
    pub weight: f64,
    /// Root mean square of the relative residuals.
    pub residual: f64,
}

/// Below a size the cost grows one way, above it another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bend {
    /// The last measured size below it.
    pub after: u64,
    /// The first measured size above it.
    pub size: u64,
    /// The exponents on both sides.
    pub below: f64,
    pub above: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Prediction {
    pub size: u64,
    pub cost: Estimate,
}

/// The cost at one size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    pub size: u64,
    pub cost: f64,
    /// What the best model says.
    pub fitted: f64,
    /// Runs behind it.
    pub n: u32,
}

/// Whether the growth is the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gate {
    pub expected: Class,
    pub verdict: GateVerdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GateVerdict {
    /// It grows no faster than expected.
    Holds,
    /// The expected class is excluded, and the growth is worse.
    Broken,
    /// The measurements do not tell.
    Inconclusive,
}

/// The growth of one function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Function {
    pub name: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub class: Class,
    pub set: Vec<Class>,
    pub exponent: Option<Estimate>,
    /// Its own instructions at the largest size as a share of all.
    pub own: f64,
    /// With everything it calls. `null` where calls were not followed.
    pub inclusive: Option<f64>,
}

/// What was asked of a sitting that measures growth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Asked {
    /// The command as it was written.
    pub command: String,
    pub expected: Option<Class>,
    /// Sizes whose cost is to be predicted.
    pub predict: Vec<u64>,
}

/// The costs of functions at one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionCosts {
    pub size: u64,
    /// All instructions of the run.
    pub total: u64,
    pub functions: Vec<FunctionCost>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionCost {
    pub name: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub own: u64,
    /// `null` from cachegrind, which does not follow calls.
    pub inclusive: Option<u64>,
}
