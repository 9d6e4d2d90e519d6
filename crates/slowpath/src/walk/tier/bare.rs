//! A program whose debug information valgrind cannot read, as 3.19 most DWARF 5 of Rust: a copy without it is run in its place.
//!
//! Functions keep their names, which are symbols. Where they stand in the source is then told by our own reader.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use model::recording::Language;
use run::Recipe;

use super::Tour;
use super::instrument::Instrument;
use crate::walk::valgrind::{bare_copy, places, unread};

impl Tour<'_, '_> {
    /// Makes the copy, once. `false` when there is one already, or the image is not the target's own program.
    pub(super) fn strip(&mut self, image: Option<&str>) -> bool {
        if self.bare.is_some() {
            return false;
        }
        let Some(copy) = self.bare_copy(image) else { return false };
        let gap = self.valgrind.as_ref().map(|valgrind| unread(valgrind, "source lines of simulated costs"));
        self.found.gaps.extend(gap);
        self.bare = Some(copy);
        true
    }

    fn bare_copy(&self, image: Option<&str>) -> Option<(PathBuf, PathBuf)> {
        let program = self.sitting.recipe(self.sitting.subject())?.path.canonicalize().ok()?;
        let copy = bare_copy(&program, image, &self.folder("tier2/bare"))?;
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

    /// Adds where functions stand in the source: what the recorded run tells first, because it is where they were hot.
    pub(super) fn name_places(&mut self) {
        let Some((program, _)) = &self.bare else { return };
        let recording = self.sitting.passes.recording.as_ref();
        let native = recording.into_iter().flat_map(|recording| &recording.frames);
        let native = native.filter(|frame| frame.language == Language::Native);
        let hot: HashMap<&str, (&str, Option<u32>)> = native
            .filter_map(|frame| Some((frame.function.as_deref()?, (frame.file.as_deref()?, frame.line))))
            .collect();
        let names: Vec<&str> = self.found.functions.iter().map(|function| function.name.as_str()).collect();
        let begin = places(program, &names);
        for (function, begin) in self.found.functions.iter_mut().zip(begin) {
            if function.file.is_some() {
                continue;
            }
            let hot = hot.get(function.name.as_str()).map(|(file, line)| ((*file).to_owned(), *line));
            let Some((file, line)) = hot.or_else(|| begin.map(|place| (place.file, Some(place.line)))) else {
                continue;
            };
            function.project = self.whose.owns(Some(&file), function.module.as_deref());
            (function.file, function.line) = (Some(file), line);
        }
    }
}
