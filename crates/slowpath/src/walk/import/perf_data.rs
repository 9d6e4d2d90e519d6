//! perf.data: copied stacks are unwound and places named, by the programs and libraries of this machine.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use model::recording::Recording;
use stacks::{End, Mapped, Origin, Project, RecordedKernel, Registers, Sources, Unwinder};
use tools::recorded::perf_data::{self, Mapping, Reach, StackCopy, Unwind};
use tools::recorded::{Options, RecordedError};

/// The file is closed a little after its last record, and clocks of file systems are coarse.
const SLACK: Duration = Duration::from_secs(2);

/// Numbers of registers (`asm/perf_regs.h`).
#[cfg(target_arch = "x86_64")]
mod number {
    pub(super) const IP: u32 = 8;
    pub(super) const SP: u32 = 7;
    pub(super) const BP: u32 = 6;
    /// There is none.
    pub(super) const LR: u32 = u32::MAX;
}
#[cfg(target_arch = "aarch64")]
mod number {
    pub(super) const IP: u32 = 32;
    pub(super) const SP: u32 = 31;
    pub(super) const BP: u32 = 29;
    pub(super) const LR: u32 = 30;
}

/// Reads a file of perf, with whole stacks and names as far as this machine has them.
pub(super) fn read(file: &Mapped, options: &Options<'_>) -> Result<Recording, RecordedError> {
    let copies = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".debug"));
    let origin = Origin { ended: file.modified, copies, elsewhere: false };
    let mut machine = Machine { unwinder: Unwinder::of_recording(origin), kernel: RecordedKernel::default() };
    let mut recording = perf_data::parse(file, options, Some(&mut machine))?;
    let project = Project { root: std::env::current_dir().unwrap_or_default(), program: None };
    let sources = Sources {
        files: machine.unwinder.into_files(),
        project: &project,
        kernel: machine.kernel,
        begun: begun(file, &recording),
    };
    stacks::name_recording(&mut recording, sources);
    Ok(recording)
}

/// The file is written last when the recording ends.
fn begun(file: &Mapped, recording: &Recording) -> Option<SystemTime> {
    let last = recording.hits.last().map(|hit| Duration::from_nanos(hit.at.as_nanos()))?;
    file.modified?.checked_sub(last.checked_add(SLACK)?)
}

/// What this machine knows of the recorded processes.
struct Machine {
    unwinder: Unwinder,
    kernel: RecordedKernel,
}

impl Unwind for Machine {
    fn map(&mut self, mapping: &Mapping<'_>) {
        let piece = stacks::Mapping {
            start: mapping.start,
            end: mapping.start.saturating_add(mapping.length),
            offset: mapping.offset,
            path: mapping.path.to_vec(),
            executable: true,
        };
        self.unwinder.map_recorded(mapping.pid, &piece, mapping.build_id);
    }

    fn fork(&mut self, parent: u32, child: u32) {
        self.unwinder.fork(parent, child);
    }

    fn exec(&mut self, pid: u32) {
        self.unwinder.exec(pid);
    }

    fn kernel(&mut self, release: Option<&str>, symbol: &[u8], address: u64) {
        if let Some(release) = release {
            self.unwinder.recorded_under(release);
        }
        self.kernel.release = release.map(str::to_owned);
        self.kernel.anchor = Some((String::from_utf8_lossy(symbol).into_owned(), address));
    }

    fn unwind(&mut self, stack: &StackCopy<'_>, addresses: &mut Vec<u64>) -> Reach {
        let register = |number| stack.register(number);
        let (Some(ip), Some(sp)) = (register(number::IP), register(number::SP)) else { return Reach::Cut };
        let bp = register(number::BP).unwrap_or(0);
        let lr = register(number::LR).unwrap_or(0);
        match self.unwinder.addresses(stack.pid, &Registers { ip, sp, bp, lr }, stack.bytes, addresses) {
            End::Whole => Reach::Outermost,
            End::Cut => Reach::Cut,
        }
    }
}
