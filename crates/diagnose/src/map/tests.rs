//! Maps of recordings made by hand.
