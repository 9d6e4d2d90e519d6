//! Where the functions of a module begin, by its unwind tables: all that is left of them where nothing names them.

use gimli::{
    BaseAddresses, EhFrame, EhFrameHdr, EndianSlice, LittleEndian, ParsedEhFrameHdr, UnwindSection as _,
};
use object::read::elf::ElfFile64;
use object::{Endianness, Object as _, ObjectSection as _};

use crate::module::Module;

type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// Without an index all tables are read, up to this size.
const UNINDEXED: usize = 16 << 20;

const ADDRESS_SIZE: u8 = 8;

/// The unwind tables of a module.
pub(crate) struct Starts<'a> {
    frames: EhFrame<Slice<'a>>,
    bases: BaseAddresses,
    index: Index<'a>,
}

enum Index<'a> {
    /// The file's own.
    Header(ParsedEhFrameHdr<Slice<'a>>),
    /// Beginnings and ends, in order.
    Read(Vec<(u64, u64)>),
}

impl<'a> Starts<'a> {
    /// `None` where the module has no unwind tables, or none that can be read.
    pub(crate) fn of(module: &'a Module) -> Option<Self> {
        // A hostile file may reach a corner of the readers that panics; then nothing is known of its functions.
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| Self::open(module))).ok().flatten()
    }

    fn open(module: &'a Module) -> Option<Self> {
        let elf = ElfFile64::<Endianness>::parse(&**module.image.as_deref()?).ok()?;
        let section = |name: &str| {
            let section = elf.section_by_name(name)?;
            Some((section.address(), section.data().ok()?))
        };
        let (at, bytes) = section(".eh_frame")?;
        let mut bases = BaseAddresses::default().set_eh_frame(at);
        for (name, set) in [
            (".text", BaseAddresses::set_text as fn(BaseAddresses, u64) -> BaseAddresses),
            (".got", BaseAddresses::set_got),
            (".eh_frame_hdr", BaseAddresses::set_eh_frame_hdr),
        ] {
            if let Some(section) = elf.section_by_name(name) {
                bases = set(bases, section.address());
            }
        }
        let frames = EhFrame::new(bytes, LittleEndian);
        let header = section(".eh_frame_hdr").and_then(|(_, bytes)| {
            let header = EhFrameHdr::new(bytes, LittleEndian).parse(&bases, ADDRESS_SIZE).ok()?;
            header.table().is_some().then_some(header)
        });
        let index = match header {
            Some(header) => Index::Header(header),
            None if bytes.len() <= UNINDEXED => Index::Read(all(&frames, &bases)),
            None => return None,
        };
        Some(Self { frames, bases, index })
    }

    /// Where the function around an address begins.
    pub(crate) fn start(&self, address: u64) -> Option<u64> {
        let found = || match &self.index {
            Index::Header(header) => {
                let table = header.table()?;
                let cie = EhFrame::cie_from_offset;
                let found = table.fde_for_address(&self.frames, &self.bases, address, cie).ok()?;
                Some(found.initial_address())
            }
            Index::Read(ranges) => {
                let behind = ranges.partition_point(|(start, _)| *start <= address);
                let (start, end) = ranges.get(behind.checked_sub(1)?)?;
                (address < *end).then_some(*start)
            }
        };
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(found)).ok().flatten()
    }
}

/// All ranges that the tables speak of, up to the first that cannot be read.
fn all(frames: &EhFrame<Slice<'_>>, bases: &BaseAddresses) -> Vec<(u64, u64)> {
    let mut ranges = Vec::new();
    let mut entries = frames.entries(bases);
    while let Ok(Some(entry)) = entries.next() {
        let gimli::CieOrFde::Fde(partial) = entry else { continue };
        let Ok(entry) = partial.parse(EhFrame::cie_from_offset) else { continue };
        ranges.push((entry.initial_address(), entry.end_address()));
    }
    ranges.sort_unstable();
    ranges
}
