//! A program whose debug information valgrind cannot read, as 3.19 most DWARF 5 of Rust: a copy without it is run in its place.
//!
//! Functions keep their names, which are symbols. Where they stand in the source is then told by our own reader, for those that
//! the recorded run met.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use model::recording::Language;
use run::Recipe;
use tools::valgrind::without_debug;

use super::Tour;
use super::instrument::Instrument;

impl Tour<'_, '_> {
    /// Makes the copy, once. `false` when there is one already, or the image is not the target's own program.
    pub(super) fn strip(&mut self, image: Option<&str>) -> bool {
        if self.bare.is_some() {
            return false;
        }
        let Some(copy) = self.bare_copy(image) else { return false };
        let version = self.valgrind.as_ref().and_then(|valgrind| valgrind.version);
        let version = version.map_or_else(String::new, |version| format!(" {version}"));
        let why = format!(
            "valgrind{version} cannot read the program's debug information; a copy without it was run, whose functions have names alone"
        );
        let next = "valgrind 3.24, or a build with `-gdwarf-4` (Rust: `-C dwarf-version=4`)";
        self.gap("source lines of simulated costs", why, Some(next));
        self.bare = Some(copy);
        true
    }

    fn bare_copy(&self, image: Option<&str>) -> Option<(PathBuf, PathBuf)> {
        let program = self.sitting.recipe(self.sitting.subject())?.path.canonicalize().ok()?;
        let same = |image: &str| fs::canonicalize(image).is_ok_and(|image| image == program);
        image.is_none_or(same).then_some(())?;
        let bytes = without_debug(&fs::read(&program).ok()?)?;
        let folder = self.folder("tier2/bare");
        fs::create_dir_all(&folder).ok()?;
        let copy = folder.join(program.file_name()?);
        fs::write(&copy, bytes).ok()?;
        fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).ok()?;
        Some((program, copy))
    }

    /// Puts the copy in the program's place, under valgrind alone.
    pub(super) fn take_bare(&self, recipe: &mut Recipe, instrument: &Instrument) {
        let Some((program, copy)) = &self.bare else { return };
        let valgrind = self.valgrind.as_ref().map(|valgrind| valgrind.path.as_os_str());
        if instrument.argv.first().map(|word| word.as_os_str()) != valgrind {
            return;
        }
        if let Some(word) = recipe.argv.get_mut(instrument.argv.len())
            && fs::canonicalize(&*word).is_ok_and(|path| path == *program)
        {
            *word = copy.into();
        }
    }

    /// Adds where functions stand in the source, as far as the recorded run tells.
    pub(super) fn name_places(&mut self) {
        let (Some(_), Some(recording)) = (&self.bare, self.sitting.passes.recording.as_ref()) else { return };
        let native = recording.frames.iter().filter(|frame| frame.language == Language::Native);
        let places: HashMap<&str, (&str, Option<u32>)> = native
            .filter_map(|frame| Some((frame.function.as_deref()?, (frame.file.as_deref()?, frame.line))))
            .collect();
        for function in self.found.functions.iter_mut().filter(|function| function.file.is_none()) {
            let Some((file, line)) = places.get(function.name.as_str()) else { continue };
            (function.file, function.line) = (Some((*file).to_owned()), *line);
            function.project = self.whose.owns(Some(file), function.module.as_deref());
        }
    }
}
