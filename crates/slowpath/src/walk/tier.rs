//! The deeper tiers of `slowpath why`: instruments beyond timing and recording, never beside a timed run. Simulators run side by
//! side, because what they count does not depend on that; everything else runs alone.
//!
//! What an instrument cannot tell is a gap with the command that would; the answer goes on without it.

mod bare;
mod caches;
mod callgraph;
mod files;
mod growth;
mod heap;
mod instrument;
mod lanes;
mod perf;
mod python;
mod sizes;

use std::path::PathBuf;
use std::time::Instant;

use model::Gap;
use model::recording::{Language, Recording};
use model::simulated::{SCHEMA, SIMULATED, Simulated};
use stacks::Project;
use stacks::owner::Place;
use tools::valgrind::Valgrind;

use crate::cli::tier::{Tier, TierOptions};
use crate::sitting::Sitting;
use crate::stop::Stop;
use crate::walk::scale::functions::interpreter;
use crate::walk::{count, valgrind};

pub(crate) use sizes::{arms, asked, time};

/// Runs the instruments of the tier and stores what they found.
pub(crate) fn gather(sitting: &mut Sitting<'_>, options: &TierOptions) -> Result<(), Stop> {
    if options.tier < Tier::Medium {
        return Ok(());
    }
    let mut tour = Tour::new(sitting, options);
    let outcome = tour.all(options.tier);
    let found = tour.found;
    // What was found before an interrupt is kept.
    sitting.store(SIMULATED, &found)?;
    sitting.passes.simulated = Some(found);
    outcome
}

/// What no instrument of valgrind's tells when none can run.
const SIMULATED_ALL: &str = "instructions, caches, branches, calls and heap";

/// The instruments of one tier, and what they found so far.
struct Tour<'s, 'a> {
    sitting: &'s mut Sitting<'a>,
    options: &'s TierOptions,
    deadline: Instant,
    valgrind: Option<Valgrind>,
    /// The program, and its copy without debug information, where valgrind cannot read that.
    bare: Option<(PathBuf, PathBuf)>,
    whose: Whose,
    /// How much longer runs took than was expected.
    slower: f64,
    found: Simulated,
}

impl<'s, 'a> Tour<'s, 'a> {
    fn new(sitting: &'s mut Sitting<'a>, options: &'s TierOptions) -> Self {
        let found = Simulated {
            schema: SCHEMA.to_owned(),
            size: None,
            instruments: Vec::new(),
            caches: None,
            totals: None,
            functions: Vec::new(),
            others: None,
            lines: Vec::new(),
            edges: Vec::new(),
            calls: None,
            outside: None,
            heap: None,
            counters: Vec::new(),
            python_heap: None,
            gaps: Vec::new(),
        };
        let whose = Whose::of(sitting, &options.source_prefix);
        let deadline = Instant::now() + options.limit;
        Self { sitting, options, deadline, valgrind: None, bare: None, whose, slower: 1.0, found }
    }

    fn all(&mut self, tier: Tier) -> Result<(), Stop> {
        // The cheap ones first, so that the dear ones cannot use up their time.
        if tier >= Tier::Deep {
            perf::stat(self)?;
            python::trace(self)?;
        }
        match valgrind::find() {
            Ok(valgrind) => {
                self.valgrind = Some(valgrind);
                let arm = sizes::simulated(self);
                self.found.size = sizes::size_of(self.sitting, arm);
                let passed_by = self.sitting.recipe(arm).and_then(count::passed_by);
                self.found.gaps.extend(passed_by);
                let recipe = self.sitting.recipe(arm).map(count::pinned);
                let progress = &mut self.sitting.progress;
                match recipe.and_then(|recipe| valgrind::foreseen(&recipe, SIMULATED_ALL, progress)) {
                    Some(gap) => self.unseen(gap),
                    None => {
                        callgraph::simulate(self, arm)?;
                        if tier >= Tier::Deep {
                            heap::watch(self, arm)?;
                        }
                    }
                }
            }
            Err(missing) => {
                let next = Some(missing.next_step());
                self.gap(SIMULATED_ALL, missing.to_string(), next);
            }
        }
        let recording = self.sitting.passes.recording.as_ref().filter(|_| tier >= Tier::Asm);
        if self.sitting.passes.generated.is_empty() && recording.is_some_and(has_generated_code) {
            let why = "it exists in the memory of the process alone: little time was seen in it, or it was gone before \
                       it could be copied";
            let next = self.sitting.passes.recording.as_ref().map(own_listing);
            self.gap("machine code of functions that the runtime compiled", why.to_owned(), next);
        }
        Ok(())
    }

    fn gap(&mut self, what: &str, why: String, next: Option<&str>) {
        self.unseen(Gap::new(what, why, next));
    }

    /// Every size of a program may fail alike: the first command shows it.
    fn unseen(&mut self, gap: Gap) {
        if !self.found.gaps.iter().any(|known| known.what == gap.what && known.why == gap.why) {
            self.found.gaps.push(gap);
        }
    }

    /// The recorded run was in Python code.
    fn is_python(&self) -> bool {
        let recording = self.sitting.passes.recording.as_ref();
        // A short program may end before any of its frames was read; its file still tells.
        let is_interpreter = |process: &model::recording::Process| {
            let program = process.program.as_ref().map(|program| program.lossy());
            let named = program
                .is_some_and(|path| path.rsplit('/').next().is_some_and(|name| name.starts_with("python")));
            named || process.runtime.as_deref().is_some_and(|runtime| runtime.starts_with("python"))
        };
        // Not even that when it ends before it was looked at, or is not recorded at all.
        interpreter(self.sitting).is_some_and(|name| name.starts_with("python"))
            || recording.is_some_and(|recording| {
                has(recording, &[Language::Python]) || recording.processes.iter().any(is_interpreter)
            })
    }
}

fn has(recording: &Recording, languages: &[Language]) -> bool {
    recording.frames.iter().any(|frame| languages.contains(&frame.language))
}

fn has_generated_code(recording: &Recording) -> bool {
    has(recording, &[Language::JavaScript, Language::Java, Language::DotNet])
        || recording.modules.iter().any(|module| module.path.contains("/numba/"))
}

/// How the runtime itself lists the code it compiled.
fn own_listing(recording: &Recording) -> &'static str {
    if has(recording, &[Language::JavaScript]) {
        "node --print-opt-code"
    } else if has(recording, &[Language::Java]) {
        "java -XX:+UnlockDiagnosticVMOptions -XX:+PrintAssembly, with hsdis installed"
    } else if has(recording, &[Language::DotNet]) {
        "DOTNET_JitDisasm=NAME, from .NET 7 on"
    } else {
        "NUMBA_DUMP_ASSEMBLY=1 before the same command"
    }
}

/// Whose code is the user's own.
struct Whose {
    project: Project,
    /// Folders the user named, as given and with links followed. Empty when none were.
    prefixes: Vec<PathBuf>,
}

impl Whose {
    fn of(sitting: &Sitting<'_>, prefixes: &[PathBuf]) -> Self {
        let root = sitting.folder_of_target();
        let root = std::path::absolute(&root).unwrap_or(root);
        let forms = |prefix: &PathBuf| [std::path::absolute(prefix).ok(), prefix.canonicalize().ok()];
        let program = sitting.recipe(sitting.subject()).map(|recipe| recipe.path.clone());
        Self {
            project: Project { root, program },
            prefixes: prefixes.iter().flat_map(forms).flatten().collect(),
        }
    }

    /// Takes the source file, and the program or library.
    fn owns(&self, file: Option<&str>, module: Option<&str>) -> bool {
        if self.prefixes.is_empty() {
            let owner = self.project.owner(Place { file, module, role: None });
            return owner == model::recording::Owner::Project;
        }
        let below =
            |path: &str| self.prefixes.iter().any(|prefix| std::path::Path::new(path).starts_with(prefix));
        // Code without a source file is where its program or library lies.
        file.map_or_else(|| module.is_some_and(below), below)
    }

    fn shown(&self) -> tools::valgrind::costs::Shown {
        use tools::valgrind::costs::Shown;
        if self.prefixes.is_empty() { Shown::All } else { Shown::Own }
    }
}
