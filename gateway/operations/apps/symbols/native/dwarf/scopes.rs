//! The functions and the inlined calls of one unit, with their ranges.

use crate::names::{EntryNames, UnitContext};
use crate::{Bytes, Dwarf};
use gimli::{Abbreviation, AttributeValue, EntriesRaw, Unit};

/// A function, or a call that is inlined in one.
pub struct Scope {
    /// The scope in which a call is inlined. None for a function.
    pub parent: Option<u32>,
    pub names: EntryNames,
    /// The file is a number of the unit's line table.
    pub call_file: u64,
    pub call_line: u32,
    pub call_column: u32,
    /// Places in the list of ranges.
    pub first_range: usize,
    pub last_range: usize,
}

pub struct ScopeRange {
    pub low: u64,
    pub high: u64,
    pub scope: u32,
}

/// Scopes in scopes. Compilers inline less deeply, and a look-up reads one after the other.
const MOST_SCOPES: usize = 256;

#[derive(Default)]
pub struct Scopes {
    /// Each one before those in it.
    pub list: Vec<Scope>,
    pub ranges: Vec<ScopeRange>,
    has_damaged_ranges: bool,
}

impl Scopes {
    /// Returns false if the unit is damaged. The scopes before the damage are kept.
    pub fn read(&mut self, dwarf: &Dwarf, unit: &Unit<Bytes>, context: &UnitContext) -> bool {
        self.read_all(dwarf, unit, context).is_ok() && !self.has_damaged_ranges
    }

    fn read_all(&mut self, dwarf: &Dwarf, unit: &Unit<Bytes>, context: &UnitContext) -> gimli::Result<()> {
        let mut entries = unit.entries_raw(None)?;
        // The scopes around the next entry, each with its depth.
        let mut around: Vec<(isize, u32)> = Vec::new();
        while !entries.is_empty() {
            let depth = entries.next_depth();
            let abbreviation = match entries.read_abbreviation()? {
                Some(abbreviation) => abbreviation,
                None => continue,
            };
            let is_call = match abbreviation.tag() {
                gimli::DW_TAG_subprogram => false,
                gimli::DW_TAG_inlined_subroutine => true,
                _ => {
                    entries.skip_attributes(abbreviation.attributes())?;
                    continue;
                }
            };
            while around.last().map_or(false, |last| last.0 >= depth) {
                around.pop();
            }
            if around.len() == MOST_SCOPES {
                return Err(gimli::Error::UnsupportedOffset);
            }
            let parent = if is_call { around.last().map(|last| last.1) } else { None };
            around.push((depth, self.list.len() as u32));
            self.read_scope(dwarf, unit, context, &mut entries, abbreviation, parent)?;
        }
        Ok(())
    }

    fn read_scope(
        &mut self,
        dwarf: &Dwarf,
        unit: &Unit<Bytes>,
        context: &UnitContext,
        entries: &mut EntriesRaw<Bytes>,
        abbreviation: &Abbreviation,
        parent: Option<u32>,
    ) -> gimli::Result<()> {
        let first_range = self.ranges.len();
        let mut scope = Scope {
            parent,
            names: EntryNames::default(),
            call_file: 0,
            call_line: 0,
            call_column: 0,
            first_range,
            last_range: first_range,
        };
        let (mut low, mut high, mut ranges) = (None, None, None);
        for specification in abbreviation.attributes() {
            let attribute = entries.read_attribute(*specification)?;
            let value = attribute.value();
            match attribute.name() {
                gimli::DW_AT_low_pc => match dwarf.attr_address(unit, value) {
                    Ok(address) => low = address,
                    Err(_) => self.has_damaged_ranges = true,
                },
                gimli::DW_AT_high_pc => high = Some(value),
                gimli::DW_AT_ranges => ranges = Some(value),
                gimli::DW_AT_call_file => scope.call_file = file_number(value),
                gimli::DW_AT_call_line => scope.call_line = number(value),
                gimli::DW_AT_call_column => scope.call_column = number(value),
                name => {
                    scope.names.take(dwarf, context, name, value);
                }
            }
        }
        if self.read_ranges(dwarf, unit, low, high, ranges).is_err() {
            self.has_damaged_ranges = true;
        }
        scope.last_range = self.ranges.len();
        self.list.push(scope);
        Ok(())
    }

    /// Adds the ranges of the next scope. Those before a damage are kept.
    fn read_ranges(
        &mut self,
        dwarf: &Dwarf,
        unit: &Unit<Bytes>,
        low: Option<u64>,
        high: Option<AttributeValue<Bytes>>,
        ranges: Option<AttributeValue<Bytes>>,
    ) -> gimli::Result<()> {
        let scope = self.list.len() as u32;
        let mut add = |low: u64, high: u64| {
            // The highest address is that of removed code.
            if low < high && low != u64::MAX {
                self.ranges.push(ScopeRange { low, high, scope });
            }
        };
        if let (Some(low), Some(high)) = (low, high) {
            let high = match high.udata_value() {
                Some(size) => Some(low.saturating_add(size)),
                None => dwarf.attr_address(unit, high)?,
            };
            add(low, high.unwrap_or(low));
        } else if let Some(ranges) = ranges {
            if let Some(mut ranges) = dwarf.attr_ranges(unit, ranges)? {
                while let Some(range) = ranges.next()? {
                    add(range.begin, range.end);
                }
            }
        }
        Ok(())
    }
}

fn file_number(value: AttributeValue<Bytes>) -> u64 {
    match value {
        AttributeValue::FileIndex(number) => number,
        value => value.udata_value().unwrap_or(0),
    }
}

fn number(value: AttributeValue<Bytes>) -> u32 {
    value.udata_value().unwrap_or(0).min(u32::MAX.into()) as u32
}
