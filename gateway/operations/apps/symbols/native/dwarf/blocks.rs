//! Packs segments into blocks, and builds the index of the blocks. `../../tableFormat.ts` describes both.

use crate::lines::Place;
use crate::runs::{Answer, Segment};

/// Each field is the difference from that of the segment before.
#[derive(Clone, Default)]
pub struct SegmentCodec {
    last: Segment,
}

impl SegmentCodec {
    pub fn at(start: u64) -> Self {
        SegmentCodec { last: Segment { start, answer: Answer::default() } }
    }

    pub fn write(&mut self, segment: Segment, bytes: &mut Vec<u8>) {
        let Segment { start, answer: Answer { node, place } } = segment;
        let last = self.last;
        write_varint(start.wrapping_sub(last.start), bytes);
        write_difference(node, last.answer.node, bytes);
        write_difference(place.file, last.answer.place.file, bytes);
        write_difference(place.line, last.answer.place.line, bytes);
        write_varint(place.column.into(), bytes);
        self.last = segment;
    }

    pub fn read(&mut self, bytes: &[u8], at: &mut usize) -> Segment {
        let last = self.last;
        let start = last.start.wrapping_add(read_varint(bytes, at));
        let node = read_difference(last.answer.node, bytes, at);
        let file = read_difference(last.answer.place.file, bytes, at);
        let line = read_difference(last.answer.place.line, bytes, at);
        let column = read_varint(bytes, at) as u32;
        self.last = Segment { start, answer: Answer { node, place: Place { file, line, column } } };
        self.last
    }
}

fn write_varint(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn read_varint(bytes: &[u8], at: &mut usize) -> u64 {
    let mut value = 0;
    let mut shift = 0;
    loop {
        let byte = bytes[*at];
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return value;
        }
        shift += 7;
    }
}

/// A small difference of either sign is a small number.
fn write_difference(value: u32, last: u32, bytes: &mut Vec<u8>) {
    let difference = i64::from(value) - i64::from(last);
    write_varint((difference << 1 ^ difference >> 63) as u64, bytes);
}

fn read_difference(last: u32, bytes: &[u8], at: &mut usize) -> u32 {
    let packed = read_varint(bytes, at);
    let difference = (packed >> 1) as i64 ^ -((packed & 1) as i64);
    (i64::from(last) + difference) as u32
}

/// Segments of a block.
const BLOCK_SEGMENTS: u32 = 64;
/// A reader computes addresses in a block with less than 64 bits.
const MOST_BLOCK_SPAN: u64 = u32::MAX as u64;
/// A level of the index has the first of so many entries of the level below.
const FAN_OUT: usize = 256;
const INDEX_RECORD_BYTES: usize = 16;
/// Records of the index of one piece.
const PIECE_RECORDS: usize = 1 << 16;

#[derive(Default)]
pub struct BlockWriter {
    /// The first address of each block, and its place.
    index: Vec<(u64, u64)>,
    codec: SegmentCodec,
    block: Vec<u8>,
    block_segments: u32,
    /// Bytes of all blocks before.
    offset: u64,
    pub segments: u32,
}

impl BlockWriter {
    pub fn push(&mut self, segment: Segment, piece: &mut Vec<u8>) {
        let first = self.index.last().map_or(0, |last| last.0);
        if self.block_segments == BLOCK_SEGMENTS || segment.start - first > MOST_BLOCK_SPAN {
            self.end(piece);
        }
        if self.block_segments == 0 {
            self.index.push((segment.start, self.offset));
            self.codec = SegmentCodec::at(segment.start);
        }
        self.codec.write(segment, &mut self.block);
        self.block_segments += 1;
        self.segments += 1;
    }

    pub fn end(&mut self, piece: &mut Vec<u8>) {
        self.offset += self.block.len() as u64;
        piece.append(&mut self.block);
        self.block_segments = 0;
    }

    pub fn count_levels(&self) -> u32 {
        let mut levels = 1;
        let mut count = self.index.len();
        while count > FAN_OUT {
            count = (count + FAN_OUT - 1) / FAN_OUT;
            levels += 1;
        }
        levels
    }

    /// Returns whether the level has been pulled.
    pub fn pull_index(&self, level: usize, pulled: &mut usize, piece: &mut Vec<u8>) -> bool {
        let every = FAN_OUT.pow(level as u32);
        piece.reserve(PIECE_RECORDS * INDEX_RECORD_BYTES);
        for (address, offset) in self.index.iter().step_by(every).skip(*pulled).take(PIECE_RECORDS) {
            piece.extend_from_slice(&address.to_le_bytes());
            piece.extend_from_slice(&offset.to_le_bytes());
            *pulled += 1;
        }
        piece.is_empty()
    }
}
