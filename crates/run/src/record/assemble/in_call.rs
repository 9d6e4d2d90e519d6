//! A wait inside a system call: what it was for, and who ended it.

use model::recording::{Object, Why};

use super::super::thread::InCall;
use super::{Assembler, Wait};

/// Of a pipe whose processes are gone.
const UNKNOWN: u64 = 0;

impl Assembler {
    pub(super) fn in_call(&mut self, wait: &mut Wait, process: u32, call: &InCall) {
        let of = self.processes.get(process as usize);
        let (pid, parent) = of.map_or((0, None), |of| (of.pid, of.parent));
        let mut sight = call.sight.unwrap_or_else(|| self.sights.of(pid, process, wait.to, call));
        let object = self.sights.object_of(sight.call);
        let streams = object.is_none() && call.call.streams();
        let given = streams
            .then(|| self.wakes.given(wait.thread, [Some(process), parent], wait.from, wait.to))
            .flatten();
        let witness = match given {
            Some(witness) => witness,
            None => self.wakes.witness(wait.thread, process, object, wait.from, wait.to),
        };
        // A child may be gone before anybody looks at its descriptors. Whom a thread of the tree wakes does not wait for
        // a disk or for the world outside.
        if streams && (given.is_some() || wait.by.is_some()) {
            sight.call = self.sights.same_call(sight.call, Object::Pipe { inode: UNKNOWN });
        }
        (wait.why, wait.sight) = (Why::Call, Some(sight));
        if let Some((woken, by)) = witness {
            wait.by = wait.by.or(Some(by));
            wait.woken = wait.woken.or(woken);
        }
    }
}
