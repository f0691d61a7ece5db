//! The memory has a maximum, which the host sets. The host is notified when it is reached: a trap alone has no cause.

use std::alloc::{GlobalAlloc, Layout, System};

extern "C" {
    /// The host throws, so this does not return.
    fn memory_exhausted();
}

struct BoundedMemory;

#[global_allocator]
static ALLOCATOR: BoundedMemory = BoundedMemory;

pub fn refuse() {
    unsafe { memory_exhausted() }
}

fn check(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        refuse();
    }
    pointer
}

unsafe impl GlobalAlloc for BoundedMemory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        check(System.alloc(layout))
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        check(System.alloc_zeroed(layout))
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        check(System.realloc(pointer, layout, size))
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        System.dealloc(pointer, layout)
    }
}
