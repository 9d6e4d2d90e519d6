//! What recording itself costs inside the kernel: it stands in the target's stacks, but is not the target's.

use model::recording::{Frame, Language, Node, Owner, RECORDER};
use stacks::Resolved;

/// How the kernel's functions begin that tell its events to us.
const BEGINS: [&str; 7] = [
    "perf_",
    "__perf_",
    "__traceiter_",
    "trace_event_",
    "trace_call_bpf",
    "filter_match_preds",
    "filter_pred_",
];

/// The same, wherever it stands in a name.
const HOLDS: [&str; 2] = ["_trace_sys_", "syscall_trace_"];

/// A program that measures itself asks for these.
const ASKED: [&str; 7] = [
    "perf_read",
    "perf_ioctl",
    "perf_poll",
    "perf_mmap",
    "perf_release",
    "perf_fasync",
    "perf_event_release_kernel",
];

/// The way into a call that is told goes by here; also where a filter decides about it or a tracer stops it.
const SLOW_WAY: &str = "syscall_trace_";
const OTHER_REASONS: [&str; 4] = ["__secure_computing", "seccomp", "__seccomp_filter", "ptrace_"];

/// Puts one frame in the place of all that the recorder had the kernel do.
pub(super) fn name(resolved: &mut Resolved) {
    let bare = |frame: &Frame| {
        let name = frame.function.as_deref().filter(|_| frame.owner == Owner::Kernel);
        name.map(|name| name.split('.').next().unwrap_or(name).to_owned())
    };
    let names: Vec<Option<String>> = resolved.frames.iter().map(bare).collect();
    let mut named = names.iter().flatten();
    let shared = named.any(|name| OTHER_REASONS.iter().any(|reason| name.starts_with(reason)));
    let ours: Vec<bool> =
        names.iter().map(|name| name.as_deref().is_some_and(|name| is_ours(name, shared))).collect();
    let Some(module) =
        resolved.frames.iter().zip(&ours).find(|(_, ours)| **ours).map(|(frame, _)| frame.module)
    else {
        return;
    };
    let recorder = u32::try_from(resolved.frames.len()).unwrap_or(u32::MAX);
    resolved.frames.push(Frame {
        language: Language::Kernel,
        function: Some(RECORDER.to_owned()),
        file: None,
        line: None,
        module,
        offset: None,
        is_start: false,
        inlined: false,
        owner: Owner::Kernel,
    });
    // For each stack what it became: itself, or the recorder's in its caller.
    let mut became: Vec<u32> = Vec::with_capacity(resolved.nodes.len());
    let first = resolved.nodes.len();
    for at in 0..first {
        let Some(Node { parent, frame }) = resolved.nodes.get(at).copied() else { break };
        let caller = parent.and_then(|parent| became.get(parent as usize).copied());
        let own = super::assemble::index(at);
        became.push(match caller {
            Some(caller) if caller as usize >= first => caller,
            _ if ours.get(frame as usize) == Some(&true) => {
                let node = Node { parent, frame: recorder };
                let known =
                    resolved.nodes.get(first..).unwrap_or_default().iter().position(|one| *one == node);
                let place = known.unwrap_or_else(|| {
                    resolved.nodes.push(node);
                    resolved.nodes.len() - 1 - first
                });
                super::assemble::index(first + place)
            }
            _ => own,
        });
    }
    for stack in &mut resolved.stack_of {
        *stack = became.get(*stack as usize).copied().unwrap_or(*stack);
    }
}

/// `shared`: the slow way into a call is not taken for the recorder alone.
fn is_ours(name: &str, shared: bool) -> bool {
    let slow = name.starts_with(SLOW_WAY) && shared;
    let asked =
        ASKED.iter().any(|asked| name == *asked || (*asked == "perf_mmap" && name.starts_with("perf_mmap_")));
    !slow
        && !asked
        && (BEGINS.iter().any(|begin| name.starts_with(begin))
            || HOLDS.iter().any(|part| name.contains(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stacks from the outermost frame on; what they became, from the outermost on.
    fn became(stacks: &[&[&str]]) -> Vec<Vec<String>> {
        let mut made = Resolved::default();
        for stack in stacks {
            let mut parent = None;
            for name in *stack {
                let own = name.starts_with(char::is_uppercase);
                made.frames.push(Frame {
                    function: Some((*name).to_owned()),
                    owner: if own { Owner::Project } else { Owner::Kernel },
                    language: if own { Language::C } else { Language::Kernel },
                    file: None,
                    line: None,
                    module: None,
                    offset: None,
                    is_start: false,
                    inlined: false,
                });
                made.nodes.push(Node { parent, frame: u32::try_from(made.frames.len() - 1).unwrap() });
                parent = Some(u32::try_from(made.nodes.len() - 1).unwrap());
            }
            made.stack_of.push(parent.unwrap());
        }
        name(&mut made);
        let names = |stack: &u32| {
            let nodes = std::iter::successors(Some(*stack), |node| made.nodes[*node as usize].parent);
            let mut names: Vec<String> = nodes
                .map(|node| made.frames[made.nodes[node as usize].frame as usize].function.clone().unwrap())
                .collect();
            names.reverse();
            names
        };
        made.stack_of.iter().map(names).collect()
    }

    #[test]
    fn what_the_recorder_has_the_kernel_do_is_one_frame_with_all_it_calls() {
        let told =
            ["Main", "do_syscall_64", "syscall_trace_enter", "perf_trace_sys_enter", "filter_match_preds"];
        let copied = ["Main", "do_syscall_64", "perf_syscall_exit.isra.0", "copy_from_user"];
        let own = ["Main", "do_syscall_64", "__x64_sys_getppid", "rcu_read_lock"];
        let asked = ["Main", "__x64_sys_ioctl", "perf_ioctl"];
        let became = became(&[&told, &copied, &own, &asked]);
        assert_eq!(became[0], ["Main", "do_syscall_64", RECORDER]);
        assert_eq!(became[1], ["Main", "do_syscall_64", RECORDER]);
        assert_eq!(
            (&became[2][..], &became[3][..]),
            (&own.map(str::to_owned)[..], &asked.map(str::to_owned)[..])
        );
    }

    #[test]
    fn the_way_to_a_filter_of_the_targets_own_is_the_targets() {
        let filtered = ["Main", "do_syscall_64", "syscall_trace_enter", "__seccomp_filter"];
        let told = ["Main", "do_syscall_64", "syscall_trace_enter", "perf_trace_sys_enter"];
        let became = became(&[&filtered, &told]);
        assert_eq!(became[0], filtered);
        assert_eq!(became[1], ["Main", "do_syscall_64", "syscall_trace_enter", RECORDER]);
    }
}
