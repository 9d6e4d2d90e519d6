//! What the first NVIDIA device was doing before the runs, during the recorded one and after them. Without one nothing is asked.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use model::performance_map::{GPU, Gpu};
use tools::nvidia::{self, Device};

use crate::sitting::Sitting;
use crate::stop::Stop;

/// The driver's folder: without it there is no device to ask for.
const DRIVER: &str = "/proc/driver/nvidia";

/// A driver in trouble lets whoever asks wait for minutes; the program that is measured is not held up for it.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often we look whether it has answered.
const TICK: Duration = Duration::from_millis(10);

/// A look at the first device. `None` where there is none, or it does not tell.
pub(crate) fn look() -> Option<Device> {
    if !Path::new(DRIVER).is_dir() {
        return None;
    }
    let [program, arguments @ ..] = nvidia::INVOCATION;
    let mut question = Command::new(program);
    question.args(arguments).env("LC_ALL", "C").stdin(Stdio::null()).stderr(Stdio::null());
    nvidia::parse(&answer(&mut question)?).ok()?.into_iter().next()
}

/// What it printed, if it ended well in time. A few lines never fill the pipe, so nobody waits for the other.
fn answer(question: &mut Command) -> Option<Vec<u8>> {
    let mut child = question.stdout(Stdio::piped()).spawn().ok()?;
    let until = Instant::now() + PATIENCE;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < until => thread::sleep(TICK),
            // One that the driver holds cannot be ended before the driver lets go: it is not waited for.
            _ => {
                let _ = child.kill();
                return None;
            }
        }
    };
    let mut bytes = Vec::new();
    child.stdout.take()?.read_to_end(&mut bytes).ok()?;
    status.success().then_some(bytes)
}

/// A watch on the first device, for runs that are not timed.
pub(crate) struct Watch {
    child: Child,
    reader: thread::JoinHandle<Vec<u8>>,
}

impl Watch {
    /// Begins, if there was a device to look at before.
    pub(crate) fn begin(before: Option<&Device>) -> Option<Self> {
        before?;
        let [program, arguments @ ..] = nvidia::INVOCATION;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .args(nvidia::WATCH)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        Self::of(&mut command)
    }

    fn of(command: &mut Command) -> Option<Self> {
        let mut child = command.stdout(Stdio::piped()).spawn().ok()?;
        let mut pipe = child.stdout.take()?;
        let reader = thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.read_to_end(&mut bytes);
            bytes
        });
        Some(Self { child, reader })
    }

    /// Ends it; what it saw.
    pub(crate) fn end(mut self) -> Vec<Device> {
        let _ = self.child.kill();
        let bytes = self.reader.join().unwrap_or_default();
        let _ = self.child.wait();
        nvidia::watched(&bytes)
    }
}

/// Looks again and keeps all looks with the run, so that the stored run tells the same.
pub(crate) fn keep(
    sitting: &Sitting<'_>,
    before: Option<Device>,
    during: &[Device],
) -> Result<Option<Gpu>, Stop> {
    let Some(before) = before else { return Ok(None) };
    let after = look().filter(|after| after.name == before.name);
    let megabytes = |device: &Device| device.memory.map(|memory| memory.as_f64() / 1e6);
    let busy = |device: &Device| device.busy.map(f64::from);
    let uses: Vec<f64> = during.iter().filter_map(busy).collect();
    let gpu = Gpu {
        memory_peak_mb: during.iter().filter_map(megabytes).max_by(f64::total_cmp),
        use_mean_pct: (!uses.is_empty()).then(|| uses.iter().sum::<f64>() / uses.len() as f64),
        looks: u32::try_from(during.len()).unwrap_or(u32::MAX),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_not_there_fails_or_says_nothing_is_unknown() {
        assert_eq!(answer(&mut Command::new("/no/such/nvidia-smi")), None);
        assert_eq!(answer(&mut Command::new("false")), None);
        let mut talks = Command::new("sh");
        talks.args(["-c", "echo 'NVIDIA H200, 5, 97'"]);
        let device = nvidia::parse(&answer(&mut talks).unwrap()).unwrap().remove(0);
        assert_eq!(device.busy, Some(97));
    }

    #[test]
    fn a_watch_is_ended_and_tells_what_it_saw() {
        let mut talks = Command::new("sh");
        talks.args([
            "-c",
            "echo 'NVIDIA H200, 5, 97'; echo 'NVIDIA H200, 9, 3'; echo 'NVIDIA H2'; exec sleep 60",
        ]);
        let watch = Watch::of(&mut talks).unwrap();
        thread::sleep(Duration::from_millis(500));
        let looks = watch.end();
        let busy: Vec<Option<u8>> = looks.iter().map(|look| look.busy).collect();
        assert!(busy.is_empty() || busy == [Some(97), Some(3)], "{looks:?}");
    }
}
