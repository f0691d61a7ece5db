//! Segments of all units, packed while units are read, and then merged in the order of their addresses.

use crate::blocks::SegmentCodec;
use crate::lines::Place;
use crate::Output;

/// Addresses that have one answer. It ends where the next one starts.
#[derive(Clone, Copy, Default)]
pub struct Segment {
    pub start: u64,
    pub answer: Answer,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Answer {
    /// An ID of `NodeTable`, or 0.
    pub node: u32,
    pub place: Place,
}

/// Segments without gaps between them.
struct Run {
    start: u64,
    end: u64,
    /// The place of its bytes: a chunk, and an offset in it.
    chunk: u32,
    offset: u32,
    count: u32,
}

#[derive(Default)]
pub struct RunStore {
    runs: Vec<Run>,
    chunks: Vec<Vec<u8>>,
    codec: SegmentCodec,
}

impl RunStore {
    /// Begins the segments of a unit.
    pub fn begin_unit(&mut self) {
        if let Some(last) = self.chunks.last_mut() {
            last.shrink_to_fit();
        }
        self.chunks.push(Vec::new());
    }

    /// Segments of a unit come in the order of their addresses, and do not overlap.
    pub fn add(&mut self, start: u64, end: u64, answer: Answer) {
        let chunk = self.chunks.len() as u32 - 1;
        let bytes = &mut self.chunks[chunk as usize];
        match self.runs.last_mut() {
            Some(run) if run.chunk == chunk && run.end == start => {
                run.end = end;
                run.count += 1;
            }
            _ => {
                self.codec = SegmentCodec::at(start);
                self.runs.push(Run { start, end, chunk, offset: bytes.len() as u32, count: 1 });
            }
        }
        self.codec.write(Segment { start, answer }, bytes);
    }
}

/// Of runs that overlap, the one that starts first is kept whole, then that of the earlier unit. Symbols fill the gaps.
pub struct Merge {
    runs: Vec<Run>,
    next: usize,
    /// The run that is being read, its codec, its place in the chunk and its segments that remain.
    open: Option<(usize, SegmentCodec, usize, u32)>,
    covered: u64,
    /// Segments that were found and not returned yet, the next one last.
    ready: Vec<Segment>,
    last: Answer,
    is_ended: bool,
}

impl Merge {
    pub fn new(store: &mut RunStore) -> Self {
        let mut runs = std::mem::take(&mut store.runs);
        runs.sort_by_key(|run| run.start);
        Merge { runs, next: 0, open: None, covered: 0, ready: Vec::new(), last: Answer::default(), is_ended: false }
    }

    /// Returns segments whose answers differ from the one before. The last one has an empty answer.
    pub fn next(&mut self, output: &mut Output) -> Option<Segment> {
        loop {
            if let Some(segment) = self.ready.pop() {
                if segment.answer != self.last {
                    self.last = segment.answer;
                    return Some(segment);
                }
                continue;
            }
            if self.is_ended {
                return None;
            }
            if !self.read_segment(output) {
                self.begin_run(output);
            }
        }
    }

    fn begin_run(&mut self, output: &mut Output) {
        let index = self.next;
        self.next += 1;
        match self.runs.get(index) {
            Some(run) if run.end <= self.covered => {}
            Some(run) => {
                if run.start > self.covered {
                    let end = run.start;
                    self.fill(end, output);
                }
                let run = &self.runs[index];
                self.open = Some((index, SegmentCodec::at(run.start), run.offset as usize, run.count));
            }
            None => {
                self.fill(u64::MAX, output);
                self.is_ended = true;
            }
        }
    }

    /// Fills a gap with symbols.
    fn fill(&mut self, end: u64, output: &mut Output) {
        let Output { names, nodes, symbols, .. } = output;
        let ready = &mut self.ready;
        symbols.split(self.covered, end, names, nodes, |start, _, node| {
            ready.push(Segment { start, answer: Answer { node, place: Place::default() } });
        });
        self.ready.reverse();
        self.covered = end;
    }

    fn read_segment(&mut self, output: &Output) -> bool {
        let (index, codec, at, count) = match &mut self.open {
            Some(open) if open.3 > 0 => (open.0, &mut open.1, &mut open.2, &mut open.3),
            _ => return false,
        };
        let run = &self.runs[index];
        let bytes = &output.runs.chunks[run.chunk as usize];
        let segment = codec.read(bytes, at);
        *count -= 1;
        // The end of this segment is the start of the next one.
        let end = match *count {
            0 => run.end,
            _ => codec.clone().read(bytes, &mut at.clone()).start,
        };
        if end > self.covered {
            self.ready.push(Segment { start: segment.start.max(self.covered), ..segment });
            self.covered = end;
        }
        true
    }
}
