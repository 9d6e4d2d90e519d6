//! A wait inside a system call: what it was for, and who ended it.

use model::recording::{Object, Why};

use super::super::limit;
use super::super::thread::InCall;
use super::super::wakes::{Away, SOON};
use super::{Assembler, Wait};
use crate::process::SchedStat;

/// Of a pipe whose processes are gone.
const UNKNOWN: u64 = 0;

impl Assembler {
    pub(super) fn in_call(&mut self, wait: &mut Wait, process: u32, call: &InCall) {
        let of = self.processes.get(process as usize);
        let (pid, parent) = of.map_or((0, None), |of| (of.pid, of.parent));
        let mut sight = call.sight.unwrap_or_else(|| self.sights.of(pid, process, wait.to, call));
        let object = self.sights.object_of(sight.call);
        let streams = object.is_none() && call.call.streams();
        let away = Away { thread: wait.thread, from: wait.from, to: wait.to, soon: SOON };
        let families = [Some(process), parent];
        let given = |away| streams.then(|| self.wakes.given(away, families)).flatten();
        let told = given(away);
        let witness = |away| match given(away) {
            Some(witness) => witness,
            None => self.wakes.witness(away, process, object),
        };
        let late = || witness(Away { soon: SOON + self.queued_since(pid, wait)?, ..away });
        let witness = witness(away).or_else(|| (!self.sees_wakings).then(late).flatten());
        // A child may be gone before anybody looks at its descriptors. Whom a thread of the tree wakes does not wait for
        // a disk or for the world outside.
        if streams && (told.is_some() || wait.by.is_some()) {
            sight.call = self.sights.same_call(sight.call, Object::Pipe { inode: UNKNOWN });
        }
        (wait.why, wait.sight) = (Why::Call, Some(sight));
        if let Some((woken, by)) = witness {
            wait.by = wait.by.or(Some(by));
            wait.woken = wait.woken.or(woken);
        }
    }

    /// Nobody ended a wait for one of several things, and its time limit was up.
    pub(super) fn note_expired(&mut self, wait: &mut Wait, call: &InCall) {
        let length = wait.woken.unwrap_or(wait.to).saturating_sub(wait.from);
        if wait.why != Why::Call
            || wait.by.is_some()
            || !limit::is_up(call.limit.or(limit::told(call)), length)
        {
            return;
        }
        if let Some(sight) = &mut wait.sight {
            sight.call = self.sights.expired(sight.call);
        }
    }

    /// How long the thread of a long wait stood in the queue since the scheduler was last asked. `None` when it is gone.
    fn queued_since(&self, pid: u32, wait: &Wait) -> Option<u64> {
        let thread = self.thread(wait.thread).filter(|_| wait.to - wait.from > SOON)?;
        let now = SchedStat::of_thread(pid, thread.tid)?.runnable.as_nanos();
        let before = thread.scheduler.map_or(thread.scheduled_before.1, |(_, queued)| queued);
        Some(now.saturating_sub(before))
    }
}
