//! The code objects of a walk: looked at each time, read once.

use super::Torn;
use super::code::{self, CODE_START, Identity, Resolved};
use super::memory::{self, Memory};
use super::reader::Interpreter;

impl<M: Memory> Interpreter<M> {
    /// Each code object once, checked to be one, and the one we know. From 3.11 what is none is left out.
    pub(crate) fn resolve(&mut self) -> Result<Vec<Resolved>, Torn> {
        let mut distinct: Vec<u64> = Vec::new();
        for mark in &self.marks {
            if !distinct.contains(&mark.code) {
                distinct.push(mark.code);
            }
        }
        let length = self.offsets.code_length();
        self.late.clear();
        for code in &distinct {
            let start = code.wrapping_add(CODE_START);
            if self.shot.bytes(start, length).is_none() {
                self.late.want(start, length);
            }
        }
        if !self.late.is_empty() {
            self.late.take(&self.memory)?;
        }
        let in_pieces = self.offsets.chunk().is_some();
        let resolved = distinct.into_iter().map(|code| self.resolve_one(code));
        resolved.filter(|code| !(in_pieces && matches!(code, Err(Torn::Moved)))).collect()
    }

    /// Adds one that the walk did not come by. `false` when it is no code object.
    pub(crate) fn resolve_also(&mut self, code: u64, resolved: &mut Vec<Resolved>) -> Result<bool, Torn> {
        if resolved.iter().any(|known| known.address == code) {
            return Ok(true);
        }
        self.late.clear();
        self.late.want(code.wrapping_add(CODE_START), self.offsets.code_length());
        self.late.take(&self.memory)?;
        match self.resolve_one(code) {
            Ok(found) => resolved.push(found),
            Err(Torn::Moved) => return Ok(false),
            Err(fatal) => return Err(fatal),
        }
        Ok(true)
    }

    fn resolve_one(&mut self, code: u64) -> Result<Resolved, Torn> {
        let (start, length) = (code.wrapping_add(CODE_START), self.offsets.code_length());
        let bytes = self.shot.bytes(start, length).or_else(|| self.late.bytes(start, length));
        let bytes = bytes.ok_or(Torn::Moved)?;
        let identity = Identity::parse(bytes, &self.offsets, self.types.code).ok_or(Torn::Moved)?;
        let kept = code::kept_frame(bytes, &self.offsets).unwrap_or(0);
        if let Some(resolved) = self.codes.known(code, &identity) {
            return Ok(Resolved { kept, ..resolved });
        }
        let resolved = self.codes.load(&self.memory, &self.offsets, self.table, code, identity)?;
        // If it is still the same, it was alive while it was read.
        let again = memory::bytes(&self.memory, start, length)?.unwrap_or_default();
        if Identity::parse(&again, &self.offsets, self.types.code) != Some(identity) {
            self.codes.forget(code);
            return Err(Torn::Moved);
        }
        Ok(Resolved { kept, ..resolved })
    }
}
