//! The paths of source files. Each is stored once, and has an ID from 1. 0 is no file.

use crate::{Bytes, Dwarf};
use gimli::{AttributeValue, LineProgramHeader, Unit};
use std::collections::HashMap;
use std::rc::Rc;

#[derive(Default)]
pub struct FileTable {
    pub list: Vec<Rc<[u8]>>,
    ids: HashMap<Rc<[u8]>, u32>,
}

impl FileTable {
    fn add(&mut self, path: Vec<u8>) -> u32 {
        let path: Rc<[u8]> = path.into();
        if let Some(id) = self.ids.get(&path) {
            return *id;
        }
        self.list.push(path.clone());
        let id = self.list.len() as u32;
        self.ids.insert(path, id);
        id
    }
}

/// The files of one unit, by their numbers in its line table.
pub struct UnitFiles<'unit> {
    dwarf: &'unit Dwarf,
    unit: &'unit Unit<Bytes>,
    header: Option<&'unit LineProgramHeader<Bytes>>,
    ids: HashMap<u64, u32>,
}

impl<'unit> UnitFiles<'unit> {
    pub fn new(dwarf: &'unit Dwarf, unit: &'unit Unit<Bytes>) -> Self {
        let header = unit.line_program.as_ref().map(|program| program.header());
        UnitFiles { dwarf, unit, header, ids: HashMap::new() }
    }

    pub fn id(&mut self, number: u64, files: &mut FileTable) -> u32 {
        if let Some(id) = self.ids.get(&number) {
            return *id;
        }
        let id = self.path(number).map_or(0, |path| files.add(path));
        self.ids.insert(number, id);
        id
    }

    /// As llvm-symbolizer names a file: the compilation directory, the directory of the file and its name.
    fn path(&self, number: u64) -> Option<Vec<u8>> {
        let header = self.header?;
        // gimli returns the unit's own file for 0. In version 4, it is no file.
        if number == 0 && header.version() < 5 {
            return None;
        }
        let file = header.file(number)?;
        let name = self.text(file.path_name())?;
        if is_absolute(name) {
            return Some(name.to_vec());
        }
        let number = file.directory_index();
        // In version 4, directory 0 is the compilation directory.
        let directory = if number == 0 && header.version() < 5 { None } else { file.directory(header) };
        let directory = directory.and_then(|value| self.text(value)).unwrap_or(&[]);
        let is_base = header.version() >= 5 && number == 0;
        let mut path = Vec::new();
        if !is_base && !is_absolute(directory) {
            append(&mut path, self.unit.comp_dir.map_or(&[], |text| text.slice()));
        }
        append(&mut path, directory);
        append(&mut path, name);
        Some(path)
    }

    fn text(&self, value: AttributeValue<Bytes>) -> Option<&'static [u8]> {
        Some(self.dwarf.attr_string(self.unit, value).ok()?.slice())
    }
}

/// A path of POSIX or of Windows.
fn is_absolute(path: &[u8]) -> bool {
    let is_separator = |byte: &u8| matches!(byte, b'/' | b'\\');
    match path {
        [b'/', ..] => true,
        [b'\\', b'\\', ..] => true,
        [drive, b':', separator, ..] => drive.is_ascii_alphabetic() && is_separator(separator),
        _ => false,
    }
}

fn append(path: &mut Vec<u8>, part: &[u8]) {
    if part.is_empty() {
        return;
    }
    let ends = path.last() == Some(&b'/');
    let starts = part.first() == Some(&b'/');
    if ends && starts {
        let skipped = part.iter().take_while(|byte| **byte == b'/').count();
        path.extend_from_slice(&part[skipped..]);
        return;
    }
    if !path.is_empty() && !ends && !starts {
        path.push(b'/');
    }
    path.extend_from_slice(part);
}
