//! Why the library may not have reached a program.

use std::fs::File;
use std::path::Path;

use object::elf::{FileHeader64, PT_INTERP};
use object::read::elf::{ElfFile, ProgramHeader};
use object::{Endianness, Object, ObjectSymbol, ReadCache};

use crate::measure::{Recipe, set_user_id};

/// The reason as far as the program file tells it.
pub(super) fn obstacle(recipe: &Recipe) -> &'static str {
    if set_user_id(recipe) {
        return "a set-user-id program loads no library for others";
    }
    obstacle_in(&recipe.path)
        .unwrap_or("no process of the tree loaded the library and allocated by the C library")
}

/// `None` when the file tells nothing.
fn obstacle_in(path: &Path) -> Option<&'static str> {
    let bytes = ReadCache::new(File::open(path).ok()?);
    let elf = ElfFile::<FileHeader64<Endianness>, _>::parse(&bytes).ok()?;
    let endian = elf.endian();
    if !elf.elf_program_headers().iter().any(|header| header.p_type(endian) == PT_INTERP) {
        return Some("the program is static, as those of Go are: no library can stand before its allocator");
    }
    let own = elf.dynamic_symbols().any(|symbol| symbol.is_definition() && symbol.name() == Ok("malloc"));
    own.then_some("the program brings an allocator of its own, which the library cannot stand before")
}
