/** Sources of programs whose symbols are hard to read: each has a form that real apps have. */

/** Calls that are inlined in calls, over files and folders, with templates, lambdas, operators and names that many functions share. */
export const inlinedCpp: Readonly<Record<string, string>> = {
  'include/shapes/area.h': `
#pragma once
namespace shapes {
template <typename T> struct Box { T width, height; T area() const; Box operator+(const Box &other) const; };
__attribute__((always_inline)) inline int check(int value) { if (value > 1000) __builtin_trap(); return value * 3; }
template <typename T> __attribute__((always_inline)) inline T Box<T>::area() const { return check(width) * check(height); }
template <typename T> __attribute__((always_inline)) inline Box<T> Box<T>::operator+(const Box &other) const {
  return { static_cast<T>(width + other.width), static_cast<T>(check(height) + other.area()) };
}
}
`,
  'geometry/geometry.cpp': `
#include "../include/shapes/area.h"
namespace { volatile int hidden = 4; __attribute__((noinline)) int local(int x) { return x + hidden; } }
namespace shapes {
struct Base { virtual ~Base(); virtual int run(int); int state; };
Base::~Base() { state = local(state); }
int Base::run(int x) { return state + x; }
struct Derived final : Base { Derived(int); ~Derived() override; int run(int) override; };
Derived::Derived(int x) { state = local(x); }
Derived::~Derived() { state = 0; }
int Derived::run(int x) { Box<int> a{x, state}, b{state, x}; return (a + b).area(); }
template <typename T, int N> __attribute__((noinline)) T sum(const T (&values)[N]) { T all = 0; for (T v : values) all += check(v); return all; }
int both(int x) { int ints[3] = {x, x + 1, x + 2}; short shorts[2] = {(short)x, 1}; return sum(ints) + sum(shorts); }
}
int use(int x) { shapes::Derived d(x); return d.run(x) + shapes::both(x); }
void operator delete(void *) noexcept {}
void operator delete(void *, unsigned long) noexcept {}
`,
  'main.cpp': `
#include "include/shapes/area.h"
int use(int x);
template <typename F> __attribute__((always_inline)) inline int apply(F f, int x) { return f(f(x)); }
__attribute__((always_inline)) static inline int outer(int x) {
  auto twice = [x](int y) __attribute__((always_inline)) { shapes::Box<int> box{x, y}; return box.area(); };
  return apply(twice, x) + apply([](int y) { return y * use(y); }, x);
}
int loop(int n) { int all = 0; for (int i = 0; i < n; i++) { if (i & 1) all += outer(i); else all ^= use(i); } return all; }
extern "C" int plain_c(int x) { return outer(x) + loop(x); }
int main(int argc, char **) { return plain_c(argc) + outer(argc + 1); }
`,
}

/** Names that the Swift compiler makes, as labels of C functions. Some are inlined, so that DWARF has the only name. */
export const swiftNames = [
  '$s4main3fooyyYaF',
  '$s4main3fooyyYaFTY0_',
  '$s4main3fooyyYaFTQ1_',
  '$s4main11ContentViewV4bodyQrvgyycfU_',
  '$s4main3FooC3bar1xSiSd_tF',
  '$s4main3FooC3bar1xSiSd_tFTf4nd_n',
  '$s4main3FooCfD',
] as const

export const swiftC = `
${swiftNames
  .map(
    (name, index) => `
int swift${index}(int x) __asm__("_${name}");
__attribute__((noinline)) int swift${index}(int x) { return x * ${index + 3} + 1; }`,
  )
  .join('\n')}
int inlined(int x) __asm__("_$s4main6helper1xS2i_tF");
__attribute__((always_inline)) inline int inlined(int x) { return x / 7; }
int main(int argc, char **argv) { return inlined(argc)${swiftNames.map((_, index) => ` + swift${index}(argc)`).join('')}; }
`

/** Functions without DWARF, in a file that has lines, beside functions that have it. */
export const assembly: Readonly<Record<'arm64' | 'x86_64', string>> = {
  arm64: `
.text
.globl _first
_first:
  add w0, w0, #1
  add w0, w0, #2
  ret
.globl _second
_second:
  nop
  ret
`,
  x86_64: `
.text
.globl _first
_first:
  addl $1, %edi
  movl %edi, %eax
  ret
.globl _second
_second:
  nop
  ret
`,
}

/**
 * An object file with DWARF of its own: a function with two ranges, another function between them, and a call that is inlined in both
 * ranges. Compilers for Mach-O write ranges of calls only. The code starts at 0, so the addresses need no linker.
 */
export const splitFunction = `
.section __TEXT,__text,regular,pure_instructions
.globl _split, _between
_split:
.fill 3, 4, 0xd503201f
_between:
.fill 2, 4, 0xd503201f
_split.cold.1:
.fill 3, 4, 0xd503201f
.section __DWARF,__debug_abbrev,regular,debug
.byte 1, 0x11, 1, 0x03, 0x08, 0x11, 0x01, 0x55, 0x17, 0, 0
.byte 2, 0x2e, 1, 0x03, 0x08, 0x55, 0x17, 0, 0
.byte 3, 0x1d, 0, 0x31, 0x13, 0x55, 0x17, 0x58, 0x0b, 0x59, 0x0b, 0, 0
.byte 4, 0x2e, 0, 0x03, 0x08, 0x11, 0x01, 0x12, 0x06, 0, 0
.byte 5, 0x2e, 0, 0x03, 0x08, 0x20, 0x0b, 0, 0
.byte 0
.section __DWARF,__debug_info,regular,debug
Lunit:
.long Lend - Lversion
Lversion:
.short 4
.long 0
.byte 8
.byte 1
.asciz "split.c"
.quad 0
.long 0
Lcalled:
.byte 5
.asciz "called"
.byte 1
.byte 2
.asciz "split"
.long 32
.byte 3
.long Lcalled - Lunit
.long 80
.byte 1, 42
.byte 0
.byte 4
.asciz "between"
.quad 12
.long 8
.byte 0
Lend:
.section __DWARF,__debug_ranges,regular,debug
.quad 0, 32, 0, 0
.quad 0, 12, 20, 32, 0, 0
.quad 4, 8, 24, 28, 0, 0
`

/** Code that the compiler moves out of functions: similar parts, and parts that are cold. */
export const outlinedC = `
int external(int); int external2(int, int);
__attribute__((cold, noinline)) int external(int x) { return x ^ 3; }
__attribute__((noinline)) int external2(int x, int y) { return x - y; }
${Array.from(
  { length: 12 },
  (_, index) => `
int similar${index}(int a, int b) {
  if (a == ${index}) { a = external(a); b += external(b + 1); a *= external(a ^ b); b -= external(a); }
  int c = external2(a, b); c += external2(b, c); c ^= external2(c, a); return external2(c, b) + ${index};
}`,
).join('')}
int main(int argc, char **argv) { return ${Array.from({ length: 12 }, (_, index) => `similar${index}(argc, ${index})`).join(' + ')}; }
`

/** Functions with the same code, which the linker can merge, and a second name for one. */
export const aliasesC = `
__attribute__((noinline)) int same1(int x) { return x * 31 + 7; }
__attribute__((noinline)) int same2(int x) { return x * 31 + 7; }
__attribute__((noinline)) static int same3(int x) { return x * 31 + 7; }
__asm__(".globl _second_name\\n.set _second_name, _same1");
int (*volatile table[])(int) = { same1, same2, same3 };
int main(int argc, char **argv) { return same1(argc) + same2(argc) + same3(argc) + table[argc % 3](argc); }
`

/** So many functions that the table has several levels. */
export function manyFunctionsC(count: number): string {
  const functions = Array.from(
    { length: count },
    (_, index) => `
static inline int part${index}(int x) { return x * ${index} + 1; }
__attribute__((noinline)) int function${index}(int x) {
  int sum = 0;
  while (x-- > ${index % 7}) sum += part${index}(x) ^ ${index};
  return sum;
}`,
  )
  return `${functions.join('')}\nint main(int argc, char **argv) { return function0(argc) + function${count - 1}(argc); }\n`
}
