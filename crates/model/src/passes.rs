//! What the instrumented runs of one run folder found, each under its own name in the folder.

use crate::calls::Calls;
use crate::heap::Heap;
use crate::machine_code::MachineCode;
use crate::recording::Recording;
use crate::runtime::Runtime;
use crate::scorecard::Standard;
use crate::simulated::Simulated;
use crate::solo::Solo;
use crate::source::Source;

/// `None` or empty: that pass was not made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passes {
    pub recording: Option<Recording>,
    /// The source around the places where the recording found time.
    pub source: Option<Source>,
    pub calls: Option<Calls>,
    /// One for each image with hot loops.
    pub code: Vec<MachineCode>,
    /// One for each process that ran code of its own making. Apart from the images: their causes and remedies are not its.
    pub generated: Vec<MachineCode>,
    pub heap: Option<Heap>,
    pub simulated: Option<Simulated>,
    pub solo: Option<Solo>,
    /// What the runtime said of itself.
    pub runtime: Option<Runtime>,
    /// What the run is judged by, where that is not the usual.
    pub standard: Option<Standard>,
}
