//! Claims about the crate as a whole: properties over arbitrary values, and error rates over simulated comparisons.

mod properties;
mod simulations;
