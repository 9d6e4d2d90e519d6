//! What the first NVIDIA device was doing before the runs and after them. Without one nothing is asked.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use model::performance_map::{GPU, Gpu};
use tools::nvidia::{self, Device};

use crate::sitting::Sitting;
use crate::stop::Stop;

/// The driver's folder: without it there is no device to ask for.
const DRIVER: &str = "/proc/driver/nvidia";

/// A look at the first device. `None` where there is none, or it does not tell.
pub(crate) fn look() -> Option<Device> {
    if !Path::new(DRIVER).is_dir() {
        return None;
    }
    let [program, arguments @ ..] = nvidia::INVOCATION;
    let mut question = Command::new(program);
    question.args(arguments).env("LC_ALL", "C").stdin(Stdio::null()).stderr(Stdio::null());
    let output = question.output().ok().filter(|output| output.status.success())?;
    nvidia::parse(&output.stdout).ok()?.into_iter().next()
}

/// Looks again and keeps both looks with the run, so that the stored run tells the same.
pub(crate) fn keep(sitting: &Sitting<'_>, before: Option<Device>) -> Result<Option<Gpu>, Stop> {
    let Some(before) = before else { return Ok(None) };
    let after = look().filter(|after| after.name == before.name);
    let megabytes = |device: &Device| device.memory.map(|memory| memory.as_f64() / 1e6);
    let busy = |device: &Device| device.busy.map(f64::from);
    let gpu = Gpu {
        memory_before_mb: megabytes(&before),
        memory_after_mb: after.as_ref().and_then(megabytes),
        use_before_pct: busy(&before),
        use_after_pct: after.as_ref().and_then(busy),
        name: before.name,
    };
    sitting.store(GPU, &gpu)?;
    Ok(Some(gpu))
}

/// What a stored run kept.
pub(crate) fn kept(folder: &Path) -> Option<Gpu> {
    serde_json::from_slice(&fs::read(folder.join(GPU)).ok()?).ok()
}
