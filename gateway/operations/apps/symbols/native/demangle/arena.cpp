// Replaces the allocator of libc by an arena: memory is freed when the next name begins. So a name cannot leave memory
// in use, and a name that expands without end stops when the arena is full. The trap that follows ends the instance.
#include "arena.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

constexpr size_t arena_bytes = 16 * 1024 * 1024;
constexpr size_t alignment = 16;

alignas(alignment) unsigned char arena[arena_bytes];
size_t used = 0;

// The size of an allocation precedes it, for `realloc`.
struct alignas(alignment) Header {
  size_t size;
};

} // namespace

void reset_arena() { used = 0; }

extern "C" {

void *malloc(size_t size) {
  size_t rounded = (size + alignment - 1) & ~(alignment - 1);
  if (size > arena_bytes || sizeof(Header) + rounded > arena_bytes - used) return nullptr;
  auto *header = reinterpret_cast<Header *>(arena + used);
  header->size = size;
  used += sizeof(Header) + rounded;
  return header + 1;
}

void free(void *) {}

void *calloc(size_t count, size_t size) {
  if (size != 0 && count > arena_bytes / size) return nullptr;
  void *memory = malloc(count * size);
  if (memory != nullptr) memset(memory, 0, count * size);
  return memory;
}

void *realloc(void *memory, size_t size) {
  if (memory == nullptr) return malloc(size);
  size_t before = (static_cast<Header *>(memory) - 1)->size;
  if (size <= before) return memory;
  void *larger = malloc(size);
  if (larger != nullptr) memcpy(larger, memory, before);
  return larger;
}

// libc++abi's `new` for large alignments uses these. No type here has one, but they belong to the same object of libc.
int posix_memalign(void **memory, size_t boundary, size_t size) {
  *memory = boundary <= alignment ? malloc(size) : nullptr;
  return *memory == nullptr ? ENOMEM : 0;
}

void *aligned_alloc(size_t boundary, size_t size) { return boundary <= alignment ? malloc(size) : nullptr; }
}
