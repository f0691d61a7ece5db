//! Resolves ranges that overlap: an address is of the scope that comes last in the unit, so of the innermost one.

use crate::scopes::ScopeRange;
use std::collections::BinaryHeap;

/// A part of the address space, and the index of its scope.
#[derive(Clone, Copy)]
pub struct Painted {
    pub start: u64,
    pub end: u64,
    pub scope: u32,
}

/// Returns parts that do not overlap, sorted by address. O(n log n), whatever the ranges are.
pub fn paint(ranges: &[ScopeRange]) -> Vec<Painted> {
    let mut order: Vec<u32> = (0..ranges.len() as u32).collect();
    order.sort_by_key(|index| ranges[*index as usize].low);
    let mut painted: Vec<Painted> = Vec::new();
    // The ranges that have begun, the last scope first. One that has ended is removed when it is the first.
    let mut open: BinaryHeap<(u32, u64)> = BinaryHeap::new();
    let mut at = 0;
    let mut next = 0;
    while next < order.len() || !open.is_empty() {
        while open.peek().map_or(false, |top| top.1 <= at) {
            open.pop();
        }
        let begin = order.get(next).map(|index| &ranges[*index as usize]);
        let top = match open.peek() {
            Some(top) => *top,
            None => match begin {
                Some(range) => {
                    at = range.low;
                    open.push((range.scope, range.high));
                    next += 1;
                    continue;
                }
                None => break,
            },
        };
        let end = begin.map_or(top.1, |range| range.low.min(top.1));
        if at < end {
            match painted.last_mut() {
                Some(last) if last.end == at && last.scope == top.0 => last.end = end,
                _ => painted.push(Painted { start: at, end, scope: top.0 }),
            }
            at = end;
        }
        while let Some(range) = order.get(next).map(|index| &ranges[*index as usize]) {
            if range.low > at {
                break;
            }
            open.push((range.scope, range.high));
            next += 1;
        }
    }
    painted
}
