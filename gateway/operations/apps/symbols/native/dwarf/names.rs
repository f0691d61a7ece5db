//! The names of functions. Each is stored once, and has an ID from 1. 0 is no name.

use crate::{Bytes, Dwarf};
use gimli::{
    Abbreviations, AttributeValue, DebugInfoOffset, DebugStrOffsetsBase, Encoding, EndianSlice, LittleEndian,
    UnitHeader, UnitOffset, UnitSectionOffset,
};
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Default)]
pub struct NameTable {
    pub list: Vec<&'static [u8]>,
    ids: HashMap<&'static [u8], u32>,
}

impl NameTable {
    pub fn add(&mut self, name: &'static [u8]) -> u32 {
        if name.is_empty() {
            return 0;
        }
        let NameTable { list, ids } = self;
        *ids.entry(name).or_insert_with(|| {
            list.push(name);
            list.len() as u32
        })
    }
}

/// The names that an entry has itself, and the entry that it refers to. An empty name is none.
#[derive(Clone, Copy, Default)]
pub struct EntryNames {
    pub linkage: &'static [u8],
    pub short: &'static [u8],
    /// A place in `__debug_info`.
    pub origin: Option<usize>,
}

impl EntryNames {
    /// Takes an attribute. Returns false if it is no part of a name.
    pub fn take(&mut self, dwarf: &Dwarf, unit: &UnitContext, name: gimli::DwAt, value: AttributeValue<Bytes>) -> bool {
        match name {
            gimli::DW_AT_linkage_name | gimli::DW_AT_MIPS_linkage_name => self.linkage = unit.text(dwarf, value),
            gimli::DW_AT_name => self.short = unit.text(dwarf, value),
            gimli::DW_AT_abstract_origin => self.origin = unit.reference(value),
            gimli::DW_AT_specification => self.origin = self.origin.or_else(|| unit.reference(value)),
            _ => return false,
        }
        true
    }
}

/// Of a unit, only as much as its strings and references need.
#[derive(Clone)]
pub struct UnitContext {
    pub header: UnitHeader<Bytes>,
    pub abbreviations: Arc<Abbreviations>,
    pub str_offsets_base: DebugStrOffsetsBase<usize>,
}

impl UnitContext {
    fn text(&self, dwarf: &Dwarf, value: AttributeValue<Bytes>) -> &'static [u8] {
        let text = match value {
            AttributeValue::String(text) => Ok(text),
            AttributeValue::DebugStrRef(offset) => dwarf.debug_str.get_str(offset),
            AttributeValue::DebugLineStrRef(offset) => dwarf.debug_line_str.get_str(offset),
            AttributeValue::DebugStrOffsetsIndex(index) => dwarf
                .debug_str_offsets
                .get_str_offset(self.header.format(), self.str_offsets_base, index)
                .and_then(|offset| dwarf.debug_str.get_str(offset)),
            _ => return &[],
        };
        text.map_or(&[], |text| text.slice())
    }

    fn reference(&self, value: AttributeValue<Bytes>) -> Option<usize> {
        match value {
            AttributeValue::UnitRef(offset) => Some(offset.to_debug_info_offset(&self.header)?.0),
            AttributeValue::DebugInfoRef(offset) => Some(offset.0),
            _ => None,
        }
    }
}

/// All units, by their places in `__debug_info`. An entry may refer to one of another unit.
pub struct UnitDirectory<'dwarf> {
    dwarf: &'dwarf Dwarf,
    headers: Vec<UnitHeader<Bytes>>,
    contexts: HashMap<usize, Option<UnitContext>>,
    names: HashMap<usize, EntryNames>,
}

/// A name is that of the origin of an origin at most so often. LLVM has no such bound, and compilers need two.
const MOST_ORIGINS: u32 = 16;

impl<'dwarf> UnitDirectory<'dwarf> {
    pub fn new(dwarf: &'dwarf Dwarf, headers: Vec<UnitHeader<Bytes>>) -> Self {
        UnitDirectory { dwarf, headers, contexts: HashMap::new(), names: HashMap::new() }
    }

    /// The linkage name if there is one, of the entry or of its origins.
    pub fn resolve(&mut self, names: &EntryNames) -> &'static [u8] {
        let full = self.with_origins(*names, MOST_ORIGINS);
        if full.linkage.is_empty() {
            full.short
        } else {
            full.linkage
        }
    }

    fn with_origins(&mut self, mut names: EntryNames, most: u32) -> EntryNames {
        if let (true, Some(origin)) = (names.linkage.is_empty() && most > 0, names.origin) {
            let found = match self.names.get(&origin) {
                Some(found) => *found,
                None => {
                    let own = self.read(origin).unwrap_or_default();
                    let found = self.with_origins(own, most - 1);
                    self.names.insert(origin, found);
                    found
                }
            };
            names.linkage = found.linkage;
            if names.short.is_empty() {
                names.short = found.short;
            }
        }
        names
    }

    fn read(&mut self, place: usize) -> Option<EntryNames> {
        let index = self.headers.partition_point(|header| start_of(header) <= place).checked_sub(1)?;
        let dwarf = self.dwarf;
        let header = self.headers[index];
        let context = self.contexts.entry(index).or_insert_with(|| read_context(dwarf, header)).as_ref()?;
        let offset: UnitOffset = DebugInfoOffset(place).to_unit_offset(&header)?;
        let mut entries = header.entries_raw(&context.abbreviations, Some(offset)).ok()?;
        let abbreviation = entries.read_abbreviation().ok()??;
        let mut names = EntryNames::default();
        for specification in abbreviation.attributes() {
            let attribute = entries.read_attribute(*specification).ok()?;
            names.take(dwarf, context, attribute.name(), attribute.value());
        }
        Some(names)
    }
}

fn start_of(header: &UnitHeader<Bytes>) -> usize {
    match header.offset() {
        UnitSectionOffset::DebugInfoOffset(offset) => offset.0,
        UnitSectionOffset::DebugTypesOffset(_) => usize::MAX,
    }
}

fn read_context(dwarf: &Dwarf, header: UnitHeader<Bytes>) -> Option<UnitContext> {
    let abbreviations = dwarf.abbreviations(&header).ok()?;
    let mut str_offsets_base = default_str_offsets_base(header.encoding());
    let mut entries = header.entries_raw(&abbreviations, None).ok()?;
    let root = entries.read_abbreviation().ok()??;
    for specification in root.attributes() {
        let attribute = entries.read_attribute(*specification).ok()?;
        if let (gimli::DW_AT_str_offsets_base, AttributeValue::DebugStrOffsetsBase(base)) =
            (attribute.name(), attribute.value())
        {
            str_offsets_base = base;
        }
    }
    Some(UnitContext { header, abbreviations, str_offsets_base })
}

fn default_str_offsets_base(encoding: Encoding) -> DebugStrOffsetsBase<usize> {
    DebugStrOffsetsBase::default_for_encoding_and_file(encoding, gimli::DwarfFileType::Main)
}

/// A name in another table than DWARF's: up to the first zero.
pub fn c_string(bytes: &'static [u8], offset: usize) -> &'static [u8] {
    let rest = bytes.get(offset..).unwrap_or(&[]);
    EndianSlice::new(rest, LittleEndian).find(0).map_or(rest, |end| &rest[..end])
}
