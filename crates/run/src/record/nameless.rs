//! Code that processes made and that nothing names: what it is, and how much of the time that is.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use model::Gap;
use model::recording::{Language, Recording};
use stacks::name::without_names;
use stacks::{PerfMaps, Raw};

use super::assemble::Process;

/// What stays unnamed below this part of the hits makes no difference.
const LEAST: f64 = 0.01;

/// Addresses that are kept. Hot loops have some hundred.
const MOST: usize = 100_000;

/// Names of programs that V8 or another engine runs JavaScript in.
const ENGINES: [&str; 5] = ["node", "nodejs", "deno", "bun", "electron"];

/// Addresses in code that no file holds, which had no name when they were hit, by process.
#[derive(Debug, Default)]
pub(super) struct Nameless {
    seen: HashSet<(u32, u64)>,
}

impl Nameless {
    /// Notes what is left of a stack that was named.
    pub(super) fn note(&mut self, frames: &[Raw], is_code: impl Fn(u32, u64) -> bool) {
        for raw in frames {
            let Raw::Anonymous { pid, address } = *raw else { continue };
            if self.seen.len() < MOST && !self.seen.contains(&(pid, address)) && is_code(pid, address) {
                self.seen.insert((pid, address));
            }
        }
    }

    /// Tells the maps which language it is of, for addresses that get no name from them either.
    pub(super) fn tell(self, processes: &[Process], maps: &mut PerfMaps) {
        let languages: BTreeMap<u32, Language> =
            processes.iter().map(|process| (process.pid, language(process.program.as_deref()))).collect();
        for (pid, address) in self.seen {
            maps.insert_nameless(pid, address, languages.get(&pid).copied().unwrap_or(Language::Unknown));
        }
    }
}

fn language(program: Option<&Path>) -> Language {
    let name = program.and_then(Path::file_name).and_then(|name| name.to_str());
    if name.is_some_and(|name| ENGINES.contains(&name)) { Language::JavaScript } else { Language::Unknown }
}

/// How much of the time is in code without names, why, and what would name it.
pub(super) fn gap(recording: &Recording) -> Option<Gap> {
    let is_nameless = |language: Language| {
        let frames = recording.frames.iter();
        let name = without_names(language);
        frames.map(|frame| frame.module.is_none() && frame.function.as_deref() == Some(name)).collect()
    };
    let share = |frames: Vec<bool>| {
        let mut through: Vec<bool> = Vec::with_capacity(recording.nodes.len());
        for node in &recording.nodes {
            let below = node.parent.and_then(|parent| through.get(parent as usize)).copied();
            through.push(below == Some(true) || frames.get(node.frame as usize) == Some(&true));
        }
        let is_through = |stack: u32| through.get(stack as usize) == Some(&true);
        let count = recording.hits.iter().filter(|hit| hit.stack.is_some_and(is_through)).count();
        count as f64 / recording.hits.len().max(1) as f64
    };
    let told = |language| Some(share(is_nameless(language))).filter(|share| *share >= LEAST);
    if let Some(share) = told(Language::JavaScript) {
        let why = format!(
            "{:.0} % of the hits are in machine code that its engine made and wrote no map of, so it is one row",
            share * 100.0
        );
        let next = "start it under slowpath (slowpath -- node …), or with node --perf-basic-prof --interpreted-frames-native-stack";
        return Some(Gap::new(super::runtimes::JAVASCRIPT_NAMES, why, Some(next)));
    }
    let share = told(Language::Unknown)?;
    let why = format!(
        "{:.0} % of the hits are in machine code that no file holds and no map names, so it is one row",
        share * 100.0
    );
    let next =
        "let what makes it write its names into /tmp/perf-PID.map; a runtime often has an option for that";
    Some(Gap::new("names of code made at run time", why, Some(next)))
}

#[cfg(test)]
mod tests {
    use model::Nanos;
    use model::recording::{Frame, Hit, Node, Owner, Source, Weight};

    use super::*;

    /// So many hits of a hundred are below code without names.
    fn recording(function: &str, language: Language, nameless: usize) -> Recording {
        let mut recording = Recording::new(Source::Slowpath(model::doctor::Level::A), Weight::CpuTime);
        let frame = |function: &str, language| Frame {
            language,
            function: Some(function.to_owned()),
            file: None,
            line: None,
            module: None,
            offset: None,
            is_start: false,
            inlined: false,
            owner: Owner::Unknown,
        };
        recording.frames = vec![frame(function, language), frame("native", Language::C)];
        recording.nodes = vec![
            Node { parent: None, frame: 0 },
            Node { parent: Some(0), frame: 1 },
            Node { parent: None, frame: 1 },
        ];
        let hit = |at: usize| {
            let stack = Some(if at < nameless { 1 } else { 2 });
            Hit { at: Nanos::ZERO, thread: 0, stack, weight: 1 }
        };
        recording.hits = (0..100).map(hit).collect();
        recording
    }

    #[test]
    fn code_without_names_is_told_with_its_share_and_what_would_name_it() {
        let told = |language, nameless| gap(&recording(without_names(language), language, nameless));
        let javascript = told(Language::JavaScript, 42).unwrap();
        assert_eq!(javascript.what, "names of JavaScript functions");
        assert!(javascript.why.starts_with("42 %"), "{javascript:?}");
        assert!(javascript.next.unwrap().contains("--perf-basic-prof"));
        assert_eq!(told(Language::Unknown, 7).unwrap().what, "names of code made at run time");
    }

    #[test]
    fn code_with_names_and_next_to_none_without_are_no_gap() {
        assert_eq!(gap(&recording("fib", Language::JavaScript, 100)), None);
        let name = without_names(Language::JavaScript);
        assert_eq!(gap(&recording(name, Language::JavaScript, 0)), None);
    }

    #[test]
    fn engines_are_known_by_their_program() {
        assert_eq!(language(Some(Path::new("/usr/bin/node"))), Language::JavaScript);
        assert_eq!(language(Some(Path::new("/usr/bin/nodeenv"))), Language::Unknown);
        assert_eq!(language(None), Language::Unknown);
    }
}
