//! Scripts of shells: nothing in a stack tells their lines, but the script itself is known.

use std::collections::BTreeMap;

use model::profile::Place;
use model::recording::{Language, Owner, Recording};

use super::subject::Subject;

const SHELLS: [&str; 5] = ["bash", "sh", "dash", "zsh", "ksh"];

/// Puts the script where a function of the shell that runs it stands: nobody can change that one.
pub(super) fn name_scripts(subjects: &mut [Subject], recording: &Recording) {
    let Some(script) = script(recording) else { return };
    let started = started(recording);
    for subject in subjects {
        let of_shell = subject.place.as_ref().is_some_and(|place| {
            place.owner != Owner::Project && place.module.as_deref().is_some_and(is_shell)
        });
        if of_shell {
            subject.place = Some(script.clone());
            if let Some(started) = &started {
                subject.word("children", started.clone());
            }
        }
    }
}

fn is_shell(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| SHELLS.contains(&name))
}

/// The script that the target is. One that the target only calls is somebody else's.
fn script(recording: &Recording) -> Option<Place> {
    let first = recording.processes.first()?;
    let program = first.program.as_ref()?.lossy();
    if !is_shell(&program) {
        return None;
    }
    let argument = first.argv.iter().skip(1).map(model::Arg::lossy).find(|word| !word.starts_with('-'))?;
    let inline = first.argv.iter().skip(1).any(|word| word.lossy() == "-c");
    let name = argument.rsplit('/').next().unwrap_or(&argument).to_owned();
    Some(Place {
        function: if inline { "the command".to_owned() } else { name },
        file: (!inline).then_some(argument),
        line: None,
        module: Some(program),
        language: Language::Unknown,
        owner: Owner::Project,
    })
}

/// How many processes there were, and the program that was started most.
fn started(recording: &Recording) -> Option<String> {
    let shell = recording.processes.first().map(|first| first.name.as_str());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    // What a shell forks for itself keeps its name.
    let is_program = |name: &&str| Some(*name) != shell && !SHELLS.contains(name);
    for name in recording.processes.iter().skip(1).map(|process| process.name.as_str()).filter(is_program) {
        *counts.entry(name).or_default() += 1;
    }
    let (name, count) = counts.into_iter().max_by_key(|(name, count)| (*count, std::cmp::Reverse(*name)))?;
    let all = recording.processes.len().saturating_sub(1);
    Some(format!("{all} processes, `{name}` {count} times"))
}

#[cfg(test)]
mod tests {
    use model::doctor::Level;

    use super::*;
    use crate::profile::tests::made::Made;

    fn made(argv: &[&str]) -> Recording {
        let mut made = Made::new(Level::C, 100);
        let Some(first) = made.0.processes.first_mut() else { return made.0 };
        first.program = Some(model::Arg::from("/usr/bin/bash"));
        first.argv = argv.iter().map(|word| model::Arg::from(*word)).collect();
        made.0
    }

    #[test]
    fn a_script_is_a_place_and_a_shell_alone_is_none() {
        let place = script(&made(&["/bin/bash", "-e", "tools/total.sh", "x"])).unwrap();
        assert_eq!((place.function.as_str(), place.file.as_deref()), ("total.sh", Some("tools/total.sh")));
        assert_eq!(script(&made(&["/bin/bash", "-c", "echo x"])).unwrap().function, "the command");
        assert_eq!(script(&made(&["/bin/bash"])), None);
    }
}
