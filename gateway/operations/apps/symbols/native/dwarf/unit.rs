//! Reads the units one after the other: its functions, its lines, and from both its segments.

use crate::files::UnitFiles;
use crate::lines::{read_lines, LineRange, Place};
use crate::names::{UnitContext, UnitDirectory};
use crate::paint::{paint, Painted};
use crate::runs::Answer;
use crate::scopes::Scopes;
use crate::{Bytes, Dwarf, Output};
use gimli::{Unit, UnitHeader};
use std::collections::HashMap;

pub fn read_units(dwarf: &Dwarf, output: &mut Output) {
    let mut headers: Vec<UnitHeader<Bytes>> = Vec::new();
    let mut iterator = dwarf.units();
    loop {
        match iterator.next() {
            Ok(Some(header)) => headers.push(header),
            Ok(None) => break,
            Err(_) => {
                output.damaged_units += 1;
                break;
            }
        }
    }
    let mut directory = UnitDirectory::new(dwarf, headers.clone());
    for header in headers {
        output.units += 1;
        let is_whole = match dwarf.unit(header) {
            Ok(unit) => read_unit(dwarf, &unit, &mut directory, output),
            Err(_) => false,
        };
        if !is_whole {
            output.damaged_units += 1;
        }
    }
}

/// Returns false if a part of the unit is damaged.
fn read_unit(dwarf: &Dwarf, unit: &Unit<Bytes>, directory: &mut UnitDirectory, output: &mut Output) -> bool {
    let context = UnitContext {
        header: unit.header,
        abbreviations: unit.abbreviations.clone(),
        str_offsets_base: unit.str_offsets_base,
    };
    let mut scopes = Scopes::default();
    let is_whole = scopes.read(dwarf, unit, &context);
    let painted = paint(&scopes.ranges);
    let mut files = UnitFiles::new(dwarf, unit);
    let (lines, is_damaged) = match &unit.line_program {
        Some(program) => read_lines(program.clone(), &mut files, &mut output.files),
        None => (Vec::new(), false),
    };
    let ranges = unit_ranges(dwarf, unit);
    let mut nodes = UnitNodes { scopes: &scopes, files, directory, known: HashMap::new() };
    output.runs.begin_unit();
    merge(&painted, &lines, |start, end, scope, place| match scope {
        Some(scope) => {
            let node = nodes.node(scope, start, output);
            output.runs.add(start, end, Answer { node, place });
        }
        None => add_lines_alone(start, end, place, &ranges, output),
    });
    is_whole && !is_damaged
}

/// Sorted. Empty if they cannot be read.
fn unit_ranges(dwarf: &Dwarf, unit: &Unit<Bytes>) -> Vec<(u64, u64)> {
    let mut ranges = Vec::new();
    if let Ok(mut iterator) = dwarf.unit_ranges(unit) {
        while let Ok(Some(range)) = iterator.next() {
            if range.begin < range.end {
                ranges.push((range.begin, range.end));
            }
        }
    }
    ranges.sort_unstable();
    ranges
}

/// Assembly has lines and no functions: the symbols name it.
fn add_lines_alone(start: u64, end: u64, place: Place, ranges: &[(u64, u64)], output: &mut Output) {
    let mut at = start;
    for (low, high) in &ranges[ranges.partition_point(|range| range.1 <= start)..] {
        let (low, high) = ((*low).max(at), (*high).min(end));
        if low >= end {
            break;
        }
        if low < high {
            let Output { names, nodes, symbols, runs, .. } = output;
            symbols.split(low, high, names, nodes, |start, end, node| runs.add(start, end, Answer { node, place }));
            at = high;
        }
    }
}

/// Calls `take` for each part that has a scope or a line, in the order of addresses.
fn merge(painted: &[Painted], lines: &[LineRange], mut take: impl FnMut(u64, u64, Option<u32>, Place)) {
    let mut painted = painted.iter().peekable();
    let mut lines = lines.iter().peekable();
    let mut at = 0;
    loop {
        while painted.next_if(|one| one.end <= at).is_some() {}
        while lines.next_if(|one| one.end <= at).is_some() {}
        let scope = painted.peek().copied();
        let line = lines.peek().copied();
        let starts = [scope.map(|one| one.start), line.map(|one| one.start)];
        let start = match starts.into_iter().flatten().min() {
            Some(start) => start.max(at),
            None => return,
        };
        // A part ends where one of them starts or ends.
        let border = |from: u64, to: u64| if from <= start { to } else { from };
        let borders = [scope.map(|one| border(one.start, one.end)), line.map(|one| border(one.start, one.end))];
        let end = borders.into_iter().flatten().min().unwrap_or(start);
        let scope = scope.filter(|one| one.start <= start).map(|one| one.scope);
        let place = line.filter(|one| one.start <= start).map_or(Place::default(), |one| one.place);
        take(start, end, scope, place);
        at = end;
    }
}

/// The nodes of the scopes of a unit, which are added when they are first needed.
struct UnitNodes<'unit, 'directory, 'dwarf> {
    scopes: &'unit Scopes,
    files: UnitFiles<'unit>,
    directory: &'directory mut UnitDirectory<'dwarf>,
    /// By the scope, and the start of the range of its function: in a function of several ranges, the offset is from the
    /// start of each.
    known: HashMap<(u32, u64), u32>,
}

impl UnitNodes<'_, '_, '_> {
    fn node(&mut self, scope: u32, address: u64, output: &mut Output) -> u32 {
        // The scopes from the innermost one to the function.
        let mut chain = vec![scope];
        while let Some(parent) = self.scopes.list[chain[chain.len() - 1] as usize].parent {
            chain.push(parent);
        }
        let function = chain[chain.len() - 1];
        let start = self.start_of(function, address);
        let missing = chain.iter().position(|one| self.known.contains_key(&(*one, start))).unwrap_or(chain.len());
        let mut node = chain.get(missing).map_or(0, |one| self.known[&(*one, start)]);
        for one in chain[..missing].iter().rev() {
            node = self.add(*one, node, start, output);
            self.known.insert((*one, start), node);
        }
        node
    }

    fn add(&mut self, index: u32, parent: u32, start: u64, output: &mut Output) -> u32 {
        let scope = &self.scopes.list[index as usize];
        // A symbol may have the name of an alias, or of a part of the function. It counts only at the start of a range.
        let symbol = if parent == 0 { output.symbols.name_at(start) } else { None };
        let name = symbol.unwrap_or_else(|| self.directory.resolve(&scope.names));
        let name = output.names.add(name);
        if parent == 0 {
            return output.nodes.add_function(name, start);
        }
        let file = self.files.id(scope.call_file, &mut output.files);
        let place = Place { file, line: scope.call_line, column: scope.call_column };
        output.nodes.add_call(name, parent, place)
    }

    /// The start of the range of the function that has the address.
    fn start_of(&self, function: u32, address: u64) -> u64 {
        let scope = &self.scopes.list[function as usize];
        let ranges = &self.scopes.ranges[scope.first_range..scope.last_range];
        let found = ranges.iter().find(|range| range.low <= address && address < range.high);
        found.or(ranges.first()).map_or(address, |range| range.low)
    }
}
