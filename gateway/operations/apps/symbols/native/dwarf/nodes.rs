//! The functions and the inlined calls that are the innermost scope of an address, or are around one. Each has an ID
//! from 1. A record has 20 bytes (`../../tableFormat.ts`). A call comes after the scope around it.

use crate::lines::Place;

/// Records in chunks, so that they are never copied to grow.
#[derive(Default)]
pub struct NodeTable {
    chunks: Vec<Vec<u8>>,
    count: u32,
}

pub const RECORD_BYTES: usize = 20;
const CHUNK_BYTES: usize = RECORD_BYTES << 15;

impl NodeTable {
    pub fn add_function(&mut self, name: u32, start: u64) -> u32 {
        self.add([name, 0, start as u32, (start >> 32) as u32, 0])
    }

    pub fn add_call(&mut self, name: u32, parent: u32, place: Place) -> u32 {
        self.add([name, parent, place.file, place.line, place.column])
    }

    fn add(&mut self, fields: [u32; 5]) -> u32 {
        if self.chunks.last().map_or(true, |chunk| chunk.len() == CHUNK_BYTES) {
            self.chunks.push(Vec::with_capacity(CHUNK_BYTES));
        }
        let chunk = self.chunks.last_mut().unwrap();
        for field in fields {
            chunk.extend_from_slice(&field.to_le_bytes());
        }
        self.count += 1;
        self.count
    }

    /// Returns whether all have been pulled.
    pub fn pull(&self, pulled: &mut usize, piece: &mut Vec<u8>) -> bool {
        match self.chunks.get(*pulled) {
            Some(chunk) => piece.extend_from_slice(chunk),
            None => return true,
        }
        *pulled += 1;
        false
    }
}
