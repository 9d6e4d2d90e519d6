//! The fixed background load: processes that are ours to end, and ended whatever happens.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};

/// As many as the reference's figures were taken under.
pub(crate) const GENERATORS: u32 = 8;

/// Running generators. Dropping it ends them, also when a sitting panics or is interrupted; they end themselves when we
/// are killed, because each asks the kernel for it.
pub(crate) struct Load {
    generators: Vec<Child>,
}

impl Load {
    /// Starts the generators; `folder` is where they scribble.
    pub(crate) fn start(program: &Path, folder: &Path) -> Result<Self> {
        let mut load = Self { generators: Vec::new() };
        for seed in 0..GENERATORS {
            let mut command = Command::new(program);
            command.arg(seed.to_string()).arg(folder).stdin(Stdio::null()).stdout(Stdio::null());
            // A group of their own: Ctrl-C is for us, and we end them when the last trial is over.
            command.process_group(0);
            let child = command.spawn().with_context(|| format!("cannot start `{}`", program.display()))?;
            load.generators.push(child);
        }
        Ok(load)
    }

    /// How many still run; fewer than were started means that the load was not what the table says.
    pub(crate) fn alive(&mut self) -> usize {
        self.generators.iter_mut().filter_map(|child| child.try_wait().ok()).filter(Option::is_none).count()
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.generators {
            // One that is gone already is what we want.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
