//! The JVMs among the processes.

use std::collections::HashMap;

use super::Hotspot;
use crate::files::Files;
use crate::raw::ModuleId;

/// Reading is tried so often: generated code runs when the JVM has begun, but not everything may be in its place yet.
const TRIES: u8 = 5;

/// All that were mapped.
#[derive(Debug, Default)]
pub(crate) struct Jvms {
    by_pid: HashMap<u32, Jvm>,
}

/// One of them, and where its `libjvm.so` was loaded.
#[derive(Debug)]
struct Jvm {
    module: ModuleId,
    bias: u64,
    tries: u8,
    read: Option<Box<Hotspot>>,
}

impl Jvms {
    /// A process has mapped `libjvm.so`. Of one that is known already, what was read stays.
    pub(crate) fn mapped(&mut self, pid: u32, module: ModuleId, bias: u64) {
        let known = self.by_pid.get(&pid).is_some_and(|jvm| (jvm.module, jvm.bias) == (module, bias));
        if !known {
            self.by_pid.insert(pid, Jvm { module, bias, tries: 0, read: None });
        }
    }

    pub(crate) fn forget(&mut self, pid: u32) {
        self.by_pid.remove(&pid);
    }

    /// The JVM of a process that runs generated code.
    pub(crate) fn of(&mut self, pid: u32, files: &Files) -> Option<&mut Hotspot> {
        let jvm = self.by_pid.get_mut(&pid)?;
        if jvm.read.is_none() && jvm.tries < TRIES {
            jvm.tries += 1;
            let image = files.module(jvm.module)?.image.as_deref()?;
            jvm.read = Hotspot::read(pid, image, jvm.bias).map(Box::new);
        }
        jvm.read.as_deref_mut()
    }

    /// Whether the process runs one, read or not.
    pub(crate) fn knows(&self, pid: u32) -> bool {
        self.by_pid.contains_key(&pid)
    }

    /// The release of a process's JDK, once it was read.
    pub(crate) fn release(&self, pid: u32) -> Option<u64> {
        Some(self.by_pid.get(&pid)?.read.as_ref()?.release())
    }
}
