//! Hits that wait for their thread.
//!
//! A thread that loses its CPU in the middle of its own code comes back through the kernel's scheduler. A hit that fell due
//! while others had the CPU comes as soon as interrupts are let in again, which is there, though the thread was in its own
//! code before and after. Beside programs that switch often it is one hit in seven of a thread that only computes.

use std::collections::HashMap;

use model::recording::Owner;
use stacks::Resolved;

/// What an interrupt ends with on its way back to a program, where threads are switched.
const EXITS: [&str; 4] =
    ["irqentry_exit_to_user_mode", "exit_to_user_mode_prepare", "exit_to_user_mode_loop", "irqentry_exit"];

/// What is done for that.
const SWITCHES: [&str; 5] =
    ["finish_task_switch", "__schedule", "schedule", "exit_to_user_mode_loop", "exit_to_user_mode_prepare"];

pub(super) struct Returning<'a> {
    resolved: &'a Resolved,
    known: HashMap<u32, u32>,
}

impl<'a> Returning<'a> {
    pub(super) fn new(resolved: &'a Resolved) -> Self {
        Self { resolved, known: HashMap::new() }
    }

    /// Where a thread was interrupted, if a hit found it on its way back from that; else where the hit found it.
    pub(super) fn interrupted(&mut self, stack: u32) -> u32 {
        if let Some(known) = self.known.get(&stack) {
            return *known;
        }
        let became = self.way_back(stack).unwrap_or(stack);
        self.known.insert(stack, became);
        became
    }

    fn way_back(&self, stack: u32) -> Option<u32> {
        let (mut at, mut exits, mut interrupts) = (stack, false, false);
        loop {
            let node = self.resolved.nodes.get(at as usize)?;
            let frame = self.resolved.frames.get(node.frame as usize)?;
            if frame.owner != Owner::Kernel {
                return (exits && interrupts).then_some(at);
            }
            let name = frame.function.as_deref()?;
            let bare = name.split('.').next().unwrap_or(name);
            // Calls leave the kernel in the same way, but by another door.
            let enters =
                bare.starts_with("asm_sysvec_") || bare == "asm_common_interrupt" || bare == "el0_interrupt";
            if !(exits && enters || SWITCHES.contains(&bare) || EXITS.contains(&bare)) {
                return None;
            }
            exits |= EXITS.contains(&bare);
            interrupts |= enters;
            at = node.parent.filter(|parent| *parent < at)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use model::recording::{Frame, Language, Node};

    use super::*;

    /// Stacks from the outermost frame on; names in capitals are the program's.
    fn resolved(stack: &[&str]) -> (Resolved, u32) {
        let mut made = Resolved::default();
        for (at, name) in (0..).zip(stack) {
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
            made.nodes.push(Node { parent: u32::checked_sub(at, 1), frame: at });
        }
        let last = u32::try_from(stack.len()).unwrap() - 1;
        (made, last)
    }

    fn found(stack: &[&str]) -> String {
        let (resolved, at) = resolved(stack);
        let at = Returning::new(&resolved).interrupted(at);
        resolved.frames[at as usize].function.clone().unwrap()
    }

    #[test]
    fn a_hit_that_waited_for_its_thread_is_where_the_thread_was_interrupted() {
        let switched = ["Main", "asm_sysvec_reschedule_ipi", "irqentry_exit_to_user_mode"];
        assert_eq!(found(&switched), "Main");
        let deeper = [&switched[..], &["schedule", "__schedule", "finish_task_switch.isra.0"]].concat();
        assert_eq!(found(&deeper), "Main");
        let work =
            ["Main", "asm_sysvec_apic_timer_interrupt", "sysvec_apic_timer_interrupt", "handle_softirqs"];
        assert_eq!(found(&work), "handle_softirqs", "what an interrupt does is the kernel's");
        let call =
            ["Main", "entry_SYSCALL_64_after_hwframe", "do_syscall_64", "schedule", "finish_task_switch"];
        assert_eq!(found(&call), "finish_task_switch", "so is what a call waits for");
        assert_eq!(found(&["Main", "Inner"]), "Inner");
        assert_eq!(
            found(&["asm_sysvec_reschedule_ipi", "irqentry_exit_to_user_mode"]),
            "irqentry_exit_to_user_mode"
        );
    }
}
