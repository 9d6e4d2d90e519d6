//! The walks: a request is measured, concluded, stored and shown.

pub(crate) mod bench;
pub(crate) mod calls;
pub(crate) mod compare;
pub(crate) mod count;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod gate;
pub(crate) mod gpu;
pub(crate) mod heap;
pub(crate) mod import;
pub(crate) mod look;
pub(crate) mod map;
pub(crate) mod page;
pub(crate) mod record;
pub(crate) mod report;
pub(crate) mod revision;
pub(crate) mod scale;
pub(crate) mod score;
pub(crate) mod solo;
pub(crate) mod stored;
pub(crate) mod suite;
pub(crate) mod tier;
pub(crate) mod valgrind;
pub(crate) mod verify;
pub(crate) mod why;
