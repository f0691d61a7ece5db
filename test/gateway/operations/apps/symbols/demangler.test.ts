/** Names of Swift and C++, beside the names that are expected and those of llvm-cxxfilt. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Demangler } from '../../../../../gateway/operations/apps/symbols/demangler.ts'
import { runLlvm } from '../../../../kit/program/objects/dsymFixtures.ts'
import { Random } from '../../../../longRuns/soak/random.ts'

const demangler = new Demangler()

/** The short form, as Apple's crash reports have it. */
const swift: readonly (readonly [string, string])[] = [
  ['$s4main3fooyyF', 'foo()'],
  ['$s4main3fooyyYaF', 'foo()'],
  ['$s4main3fooyyYaFTY0_', '(1) suspend resume partial function for foo()'],
  ['$s4main3fooyyYaFTQ1_', '(2) await resume partial function for foo()'],
  ['$s4main11ContentViewV4bodyQrvg', 'ContentView.body.getter'],
  ['$s4main11ContentViewV4bodyQrvgyycfU_', 'closure #1 in ContentView.body.getter'],
  ['$s4main3FooC3bar1xSiSd_tF', 'Foo.bar(x:)'],
  ['$s4main3FooC3bar1xSiSd_tFTf4nd_n', 'specialized Foo.bar(x:)'],
  ['$s4main3FooC3bar1xSiSd_tFTo', '@objc Foo.bar(x:)'],
  ['$s4main3FooCACycfC', 'Foo.__allocating_init()'],
  ['$s4main3FooCfD', 'Foo.__deallocating_deinit'],
  ['$s4main3FooC5counts5Int32Vvs', 'Foo.count.setter'],
  ['$s4main3FooC1poiyA2C_ACtFZ', 'static Foo.+ infix(_:_:)'],
  ['$sSa9formIndex5afterySiz_tFSi_Tg5', 'specialized Array.formIndex(after:)'],
  ['$s4main3barSiyYaKF', 'bar()'],
  ['_$s4main3fooyyF', 'foo()'],
  ['$S4main3fooyyF', 'foo()'],
  ['_T04main3fooyyF', 'foo()'],
  ['_TFC4main3Foo3barfS0_FT_T_', 'Foo.bar(_:)'],
]

for (const [mangled, expected] of swift)
  test(`Swift: ${mangled}`, () => assert.equal(demangler.demangleText(mangled), expected))

test('other names are not changed', () => {
  const names = [
    ...['', '_', 'main', '_main', '-[ViewController viewDidLoad]', '+[NSObject new]', '__36-[App run]_block_invoke'],
    ...['_TableCreate', '_Total', '$', '$s', '_Z', '_ZN', '___Z', 'Zebra', 'größe', '_RNvC4main3foo', '__Z3foov', 'i'],
    ...['OUTLINED_FUNCTION_0', 'objc_msgSend', '?foo@@YAHXZ', '_D3foo', '_Z3foo\u0000v', '$s4main3fooyyF trailing'],
  ]
  for (const name of names) assert.equal(demangler.demangleText(name), name)
})

/** Of every kind of the grammar that compilers use, from programs of LLVM and from the Itanium C++ ABI. */
const cpp = [
  ...['_Z3foov', '_Z3fooi', '_ZN3foo3barEv', '_ZNK3foo3barEv', '_ZN3fooC1Ev', '_ZN3fooC2ERKS_', '_ZN3fooD0Ev'],
  ...['_ZN12_GLOBAL__N_15localEi', '_ZL6staticv', '_ZN3foo3barIiEEvT_', '_ZN6shapes3sumIiLi3EEET_RAT0__KS1_'],
  ...[
    '_ZNSt3__16vectorIiNS_9allocatorIiEEE9push_backERKi',
    '_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE6appendEPKcm',
  ],
  ...[
    '_ZZ4mainENKUlvE_clEv',
    '_ZZ5outeriENKUliE_clEi',
    '_ZN3fooplERKS_',
    '_ZN3foocvbEv',
    '_ZnwmSt11align_val_t',
    '_ZTV3foo',
  ],
  ...['_ZTI3foo', '_ZTS3foo', '_ZThn8_N3foo3barEv', '_ZTv0_n24_N3foo3barEv', '_ZTch0_h4_N3foo3barEv', '_ZGVZ4mainE1x'],
  ...[
    '_Z1fIJidEEvDpT_',
    '_Z1fDn',
    '_Z1fPFviE',
    '_Z1fM3fooKFvvE',
    '_Z1fRA10_i',
    '_Z1fOi',
    '_Z1fU8__vectorf',
    '_Z1fDv4_f',
  ],
  ...[
    '_ZN3fooB5cxx11Ev',
    '_Z1fILb1EEvv',
    '_Z1fIXadL_Z1gvEEEvv',
    '_Z1fDTcl1gEE',
    '_ZN1AIXsr1BE1xEE1fEv',
    '_Z3foov.cold.1',
  ],
  ...[
    '_Z3foov.llvm.1234567890',
    '___Z4mainv_block_invoke',
    '___Z4mainv_block_invoke_2',
    '____Z1fv_block_invoke',
    '__Z3foov',
  ],
  ...[
    '_ZN9__gnu_cxx13new_allocatorIP4NodeE8allocateEmPKv',
    '_ZNSaIcED2Ev',
    '_ZSt4cout',
    '_ZNSi3getEPcl',
    '_Z1fDF16_',
    '_Z1fDu',
  ],
  ...[
    '_ZW3ModE1fv',
    '_ZN1SDC1a1bEE',
    '_Z1fQ1CIT_E',
    '_Z1fUa9enable_ifILi1EEv',
    '_ZN4Outer5InnerIN3FooEE4ImplIS2_E3runEv',
  ],
  ...['_ZNKSt8functionIFivEEclEv', '_ZN5boost6detail8functionE', '_Z4testILi3EEvN9enable_ifIXeqT_Li3EEvE4typeE', '_Z'],
]

test('C++: each name is demangled as llvm-cxxfilt does it', () => {
  const random = new Random(31)
  const damagedNames = Array.from({ length: 3_000 }, () => damageName(random.pick(cpp), random))
  const names = [...cpp, ...damagedNames].filter((name) => !/\s/.test(name))
  const byLlvm = runLlvm('llvm-cxxfilt', [], { input: `${names.join('\n')}\n` }).split('\n')
  const changed = names.filter((name, index) => name !== byLlvm[index]).length
  assert.ok(changed > 500, String(changed))
  assert.deepEqual(
    names.map((name) => demangler.demangleText(name)),
    byLlvm.slice(0, names.length),
  )
})

const letters = '0123456789ABCDEINLPRSTXZabcdefijlmnstvwxyz_'

function damageName(name: string, random: Random): string {
  let changed = name
  for (let change = 1 + random.below(2); change > 0; change--) {
    const at = 2 + random.below(Math.max(1, changed.length - 2))
    const letter = letters[random.below(letters.length)] ?? 'v'
    changed = random.chance(0.5)
      ? `${changed.slice(0, at)}${letter}${changed.slice(at + 1)}`
      : `${changed.slice(0, at)}${letter}${changed.slice(at)}`
  }
  return changed
}

test('the demangler still works after hostile names', () => {
  const deep = (length: number) => `_Z1f${'P'.repeat(length)}i`
  // Each parameter has two of the one before it.
  const bomb = `_Z1f${Array.from({ length: 40 }, (_, index) => `1aI${index === 0 ? 'ii' : 'S_S_'}E`).join('')}`
  const doubling = `_Z1fI${'S1_'.repeat(2_000)}E${'N1aIS_S_E1bE'.repeat(200)}`
  const swiftDeep = `$s4main3fooyy${'Sg'.repeat(5_000)}F`
  const tuples = `$s4main3fooyy${'Si_AAt'.repeat(1_000)}F`
  const hostile = [deep(100), deep(5_000), deep(16_000), deep(100_000), bomb, doubling, swiftDeep, tuples]
  const nested = ['F', 'T_', 'v', 'K', 'N', 'I', 'X', 'Dp', 'L', 'M', 'A1_'].map((part) => `_Z1f${part.repeat(4_000)}`)
  const oldSwift = ['F', 'T', 'G', 'C', 'b', 'X', 'U'].map((part) => `_TF4main3foo${part.repeat(4_000)}`)
  for (const name of [...hostile, ...nested, ...oldSwift]) {
    const began = performance.now()
    const text = demangler.demangleText(name)
    assert.ok(text.length <= Math.max(64 * 1024, name.length), `${name.slice(0, 40)}: ${text.length}`)
    assert.ok(performance.now() - began < 2_000, `${name.slice(0, 40)} takes ${performance.now() - began} ms`)
    assert.equal(demangler.demangleText('$s4main3fooyyF'), 'foo()')
    assert.equal(demangler.demangleText('_Z3foov'), 'foo()')
  }
})

test('damaged names of Swift are demangled or not changed', () => {
  const random = new Random(32)
  let demangled = 0
  for (let round = 0; round < 20_000; round++) {
    const name = damageName(random.pick(swift)[0], random)
    if (demangler.demangleText(name) !== name) demangled++
  }
  assert.ok(demangled > 1_000 && demangled < 19_000, String(demangled))
  assert.equal(demangler.demangleText('$s4main3fooyyF'), 'foo()')
})
