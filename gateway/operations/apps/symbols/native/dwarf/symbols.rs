//! The symbols of the code (`struct nlist` of Apple's `mach-o/nlist.h`), sorted by address.

use crate::names::{c_string, NameTable};
use crate::nodes::NodeTable;

pub struct CodeSection {
    pub ordinal: u32,
    pub address: u64,
    pub end: u64,
}

struct Symbol {
    address: u64,
    /// The next symbol, or the end of the section.
    end: u64,
    name: &'static [u8],
    /// 0 until it is used.
    node: u32,
}

#[derive(Default)]
pub struct SymbolList {
    list: Vec<Symbol>,
}

const STAB: u8 = 0xe0;
const TYPE: u8 = 0x0e;
const IN_SECTION: u8 = 0x0e;

/// Names that linkers give to headers. They are no functions, though they may have the address of one.
const PSEUDO_NAMES: [&[u8]; 7] = [
    b"__mh_execute_header",
    b"__mh_dylib_header",
    b"__mh_bundle_header",
    b"__mh_dylinker_header",
    b"__mh_preload_header",
    b"__mh_object_header",
    b"___dso_handle",
];

impl SymbolList {
    pub fn read(table: &'static [u8], names: &'static [u8], code: &[CodeSection], is_64: bool) -> Self {
        let mut list = Vec::new();
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
        for entry in table.chunks_exact(if is_64 { 16 } else { 12 }) {
            let kind = entry[4];
            if kind & STAB != 0 || kind & TYPE != IN_SECTION {
                continue;
            }
            let address = number(&entry[8..]);
            let is_here =
                |one: &&CodeSection| one.ordinal == entry[5].into() && one.address <= address && address < one.end;
            let section = match code.iter().find(is_here) {
                Some(section) => section,
                None => continue,
            };
            let name = c_string(names, number(&entry[..4]) as usize);
            if name.is_empty() || PSEUDO_NAMES.contains(&name) {
                continue;
            }
            // The names of C, C++ and Swift have an underscore before them.
            let name = name.strip_prefix(b"_").unwrap_or(name);
            list.push(Symbol { address, end: section.end, name, node: 0 });
        }
        // Of symbols with one address, the last one counts, as in LLVM. The sort keeps their order.
        list.sort_by_key(|symbol| symbol.address);
        list.reverse();
        list.dedup_by_key(|symbol| symbol.address);
        list.reverse();
        for at in 1..list.len() {
            let next = list[at].address;
            list[at - 1].end = list[at - 1].end.min(next);
        }
        SymbolList { list }
    }

    /// The name of the symbol at this address, and not above it.
    pub fn name_at(&self, address: u64) -> Option<&'static [u8]> {
        let at = self.list.binary_search_by_key(&address, |symbol| symbol.address).ok()?;
        Some(self.list[at].name)
    }

    /// Splits a range by symbols. A part without a symbol has the node 0.
    pub fn split(
        &mut self,
        start: u64,
        end: u64,
        names: &mut NameTable,
        nodes: &mut NodeTable,
        mut take: impl FnMut(u64, u64, u32),
    ) {
        let mut at = start;
        let mut index = self.list.partition_point(|symbol| symbol.end <= at);
        while at < end {
            let (node, next) = match self.list.get_mut(index) {
                Some(symbol) if symbol.address <= at => {
                    if symbol.node == 0 {
                        symbol.node = nodes.add_function(names.add(symbol.name), symbol.address);
                    }
                    index += 1;
                    (symbol.node, symbol.end)
                }
                Some(symbol) => (0, symbol.address),
                None => (0, end),
            };
            let next = next.min(end);
            take(at, next, node);
            at = next;
        }
    }
}
