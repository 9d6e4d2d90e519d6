//! Waits that only a signal ends: for a child, where there is one. A shell's `wait` is such a wait.

use model::recording::{Recording, Wait};

/// Which calls only a signal ends, and when each process had which children.
pub(super) struct Signalled {
    calls: Vec<bool>,
    /// By process: from when to when each of its children lived.
    children: Vec<Vec<(u64, u64)>>,
}

impl Signalled {
    pub(super) fn of(recording: &Recording) -> Self {
        let calls =
            recording.calls.iter().map(|call| model::blocking::is_ended_by_signal(&call.name)).collect();
        let mut children = vec![Vec::new(); recording.processes.len()];
        for process in &recording.processes {
            let parent = process.parent.and_then(|parent| children.get_mut(parent as usize));
            let to = process.to.map_or(u64::MAX, |to| to.as_nanos());
            parent
                .into_iter()
                .for_each(|known: &mut Vec<(u64, u64)>| known.push((process.from.as_nanos(), to)));
        }
        Self { calls, children }
    }

    /// Whether a wait is for a child: one lived meanwhile, and may have ended it.
    pub(super) fn is_for_child(&self, recording: &Recording, wait: &Wait) -> bool {
        let is_signalled = wait.call.and_then(|call| self.calls.get(call as usize)) == Some(&true);
        if !is_signalled {
            return false;
        }
        let process = recording.threads.get(wait.thread as usize).map(|thread| thread.process as usize);
        let children = process.and_then(|process| self.children.get(process));
        let meanwhile = |(from, to): &(u64, u64)| *from < wait.to.as_nanos() && *to > wait.from.as_nanos();
        children.is_some_and(|children| children.iter().any(meanwhile))
    }
}
