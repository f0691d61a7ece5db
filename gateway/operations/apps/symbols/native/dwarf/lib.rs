//! Reads the DWARF and the symbols of one Mach-O slice, and returns the parts of a symbol table (`../../tableFormat.ts`).
//!
//! One instance reads one slice. The host calls, in this order: `add_section` and `add_code_section` for the input, `build`
//! once, then `pull` for each part until it returns 0, and the blocks first. The input is hostile: a damaged unit is
//! counted, and the rest is read. A trap or an exhausted memory ends the instance.

mod blocks;
mod files;
mod lines;
mod memory;
mod names;
mod nodes;
mod paint;
mod runs;
mod scopes;
mod symbols;
mod unit;

use crate::blocks::BlockWriter;
use crate::files::FileTable;
use crate::names::NameTable;
use crate::nodes::NodeTable;
use crate::runs::{Merge, RunStore};
use crate::symbols::{CodeSection, SymbolList};
use gimli::{EndianSlice, LittleEndian, SectionId};

/// The sections are never freed, so every name is a part of them.
pub type Bytes = EndianSlice<'static, LittleEndian>;
pub type Dwarf = gimli::Dwarf<Bytes>;

const SECTIONS: [SectionId; 10] = [
    SectionId::DebugInfo,
    SectionId::DebugAbbrev,
    SectionId::DebugLine,
    SectionId::DebugStr,
    SectionId::DebugLineStr,
    SectionId::DebugStrOffsets,
    SectionId::DebugAddr,
    SectionId::DebugRanges,
    SectionId::DebugRngLists,
    SectionId::DebugTypes,
];
/// Two more sections of the host: the symbols and their names.
const SYMBOLS: usize = SECTIONS.len();
const SYMBOL_NAMES: usize = SYMBOLS + 1;

#[derive(Default)]
pub struct Output {
    pub names: NameTable,
    pub files: FileTable,
    pub nodes: NodeTable,
    pub symbols: SymbolList,
    pub runs: RunStore,
    pub units: u32,
    pub damaged_units: u32,
}

#[derive(Default)]
struct State {
    sections: [&'static [u8]; SYMBOL_NAMES + 1],
    code: Vec<CodeSection>,
    output: Output,
    merge: Option<Merge>,
    blocks: BlockWriter,
    pulled: usize,
    piece: Vec<u8>,
}

static mut STATE: Option<State> = None;

fn state() -> &'static mut State {
    // A module without threads has one caller at a time.
    unsafe { STATE.get_or_insert_with(State::default) }
}

/// Returns where the host writes the bytes of a section. A section of 2 GiB is more than Rust can address.
#[no_mangle]
pub extern "C" fn add_section(kind: u32, length: usize) -> *mut u8 {
    if length > isize::MAX as usize {
        memory::refuse();
    }
    let bytes: &'static mut [u8] = vec![0; length].leak();
    let pointer = bytes.as_mut_ptr();
    state().sections[kind as usize] = bytes;
    pointer
}

/// A section with instructions. Its ordinal counts all sections from 1, as those of symbols do.
#[no_mangle]
pub extern "C" fn add_code_section(ordinal: u32, address: u64, size: u64) {
    let end = address.saturating_add(size);
    state().code.push(CodeSection { ordinal, address, end });
}

#[no_mangle]
pub extern "C" fn build(is_64: u32) {
    let State { sections, code, output, merge, .. } = state();
    output.symbols = SymbolList::read(sections[SYMBOLS], sections[SYMBOL_NAMES], code, is_64 != 0);
    let dwarf: Dwarf = gimli::Dwarf::load(|id| {
        let kind = SECTIONS.iter().position(|one| *one == id);
        Ok::<_, ()>(EndianSlice::new(kind.map_or(&[][..], |kind| sections[kind]), LittleEndian))
    })
    .unwrap();
    unit::read_units(&dwarf, output);
    *merge = Some(Merge::new(&mut output.runs));
}

/// The parts of a table. The blocks are pulled first: only then the other parts are complete.
enum Part {
    Blocks,
    Nodes,
    Names,
    Files,
    IndexLevel(usize),
}

/// A piece has about so many bytes.
const PIECE_BYTES: usize = 1 << 20;

/// Prepares the next piece of a part, and returns its length. 0 is the end of the part.
#[no_mangle]
pub extern "C" fn pull(part: u32) -> usize {
    let State { output, merge, blocks, pulled, piece, .. } = state();
    let part = match part {
        0 => Part::Blocks,
        1 => Part::Nodes,
        2 => Part::Names,
        3 => Part::Files,
        level => Part::IndexLevel(level as usize - 4),
    };
    piece.clear();
    let is_ended = match part {
        Part::Blocks => {
            let merge = merge.as_mut().unwrap();
            while piece.len() < PIECE_BYTES {
                match merge.next(output) {
                    Some(segment) => blocks.push(segment, piece),
                    None => {
                        blocks.end(piece);
                        break;
                    }
                }
            }
            piece.is_empty()
        }
        Part::Nodes => output.nodes.pull(pulled, piece),
        Part::Names => pull_strings(output.names.list.iter().copied(), pulled, piece),
        Part::Files => pull_strings(output.files.list.iter().map(|path| &path[..]), pulled, piece),
        Part::IndexLevel(level) => blocks.pull_index(level, pulled, piece),
    };
    if is_ended {
        *pulled = 0;
    }
    piece.len()
}

/// Each string has its length before it. Returns whether all have been pulled.
fn pull_strings<'a>(strings: impl ExactSizeIterator<Item = &'a [u8]>, pulled: &mut usize, piece: &mut Vec<u8>) -> bool {
    for string in strings.skip(*pulled) {
        if piece.len() >= PIECE_BYTES {
            break;
        }
        piece.extend_from_slice(&(string.len() as u32).to_le_bytes());
        piece.extend_from_slice(string);
        *pulled += 1;
    }
    piece.is_empty()
}

/// Where the piece is that `pull` has prepared.
#[no_mangle]
pub extern "C" fn piece() -> *const u8 {
    state().piece.as_ptr()
}

#[no_mangle]
pub extern "C" fn count_units() -> u32 {
    state().output.units
}

#[no_mangle]
pub extern "C" fn count_damaged_units() -> u32 {
    state().output.damaged_units
}

#[no_mangle]
pub extern "C" fn count_segments() -> u32 {
    state().blocks.segments
}

/// The levels of the index. The last one has at most one block.
#[no_mangle]
pub extern "C" fn count_index_levels() -> u32 {
    state().blocks.count_levels()
}
