//! The line table of one unit, as ranges that do not overlap.

use crate::files::FileTable;
use crate::files::UnitFiles;
use crate::Bytes;
use gimli::{ColumnType, IncompleteLineProgram};

/// A place in the source. The file is an ID of `FileTable`. 0 is none.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Copy)]
pub struct LineRange {
    pub start: u64,
    pub end: u64,
    pub place: Place,
}

struct Sequence {
    low: u64,
    high: u64,
    /// Places in the list of rows.
    first: usize,
    last: usize,
}

/// Sorted by address. If the program is damaged, the sequences before the damage are kept.
pub fn read_lines(
    program: IncompleteLineProgram<Bytes>,
    unit_files: &mut UnitFiles,
    files: &mut FileTable,
) -> (Vec<LineRange>, bool) {
    let (sequences, rows, is_damaged) = read_sequences(program, unit_files, files);
    (split_sequences(sequences, &rows), is_damaged)
}

type Row = (u64, Place);

fn read_sequences(
    program: IncompleteLineProgram<Bytes>,
    unit_files: &mut UnitFiles,
    files: &mut FileTable,
) -> (Vec<Sequence>, Vec<Row>, bool) {
    let mut sequences = Vec::new();
    let mut all: Vec<Row> = Vec::new();
    let mut first = 0;
    let mut rows = program.rows();
    loop {
        let row = match rows.next_row() {
            Ok(Some((_, row))) => row,
            Ok(None) => return (sequences, all, false),
            Err(_) => return (sequences, all, true),
        };
        let address = row.address();
        if row.end_sequence() {
            if let Some((low, _)) = all.get(first).copied() {
                if low < address {
                    sequences.push(Sequence { low, high: address, first, last: all.len() });
                }
            }
            first = all.len();
            continue;
        }
        // Within a sequence, addresses do not decrease. Of rows with one address, the last one counts.
        match all.last().map(|last| last.0) {
            Some(previous) if all.len() > first && previous > address => continue,
            Some(previous) if all.len() > first && previous == address => all.truncate(all.len() - 1),
            _ => {}
        }
        let place = Place {
            file: unit_files.id(row.file_index(), files),
            line: row.line().map_or(0, |line| line.get().min(u32::MAX.into()) as u32),
            column: match row.column() {
                ColumnType::LeftEdge => 0,
                ColumnType::Column(column) => column.get().min(u16::MAX.into()) as u32,
            },
        };
        all.push((address, place));
    }
}

/// An address is of the sequence with the lowest end above it, as in LLVM. So if sequences overlap, the later ones begin
/// at the end of the earlier ones.
fn split_sequences(mut sequences: Vec<Sequence>, rows: &[Row]) -> Vec<LineRange> {
    sequences.sort_by_key(|sequence| sequence.high);
    let mut ranges = Vec::with_capacity(rows.len());
    let mut covered = 0;
    for Sequence { low, high, first, last } in sequences {
        let low = low.max(covered);
        for at in first..last {
            let (address, place) = rows[at];
            let start = address.max(low);
            let end = if at + 1 < last { rows[at + 1].0.min(high) } else { high };
            if start < end {
                ranges.push(LineRange { start, end, place });
            }
        }
        covered = high;
    }
    ranges
}
