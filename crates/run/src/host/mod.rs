//! What this machine is and what it lets us measure.
