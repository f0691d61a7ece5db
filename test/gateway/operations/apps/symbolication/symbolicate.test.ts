/** Frames get the names of the symbols at their addresses. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { linkedAddress } from '../../../../../gateway/operations/apps/symbolication/frameAddress.ts'
import { symbolicate } from '../../../../../gateway/operations/apps/symbolication/symbolicate.ts'
import type { SymbolFrame } from '../../../../../gateway/operations/apps/symbols/symbolTable.ts'
import type { CrashContent, StoredFrame } from '../../../../../gateway/operations/apps/threads/storedThreads.ts'

const textAddress = 0x1_0000_0000n
const loadAddress = 0x1_04d2_0000n
const uuid = '0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0'
const systemUuid = '11112222-3333-4444-5555-666677778888'
const shop = { uuid, name: 'Shop', arch: 'arm64', loadAddress: `0x${loadAddress.toString(16)}` }
const system = { uuid: systemUuid, name: 'dyld', arch: 'arm64', loadAddress: '0x1a13b8000', isSystem: true } as const

/** The address of a place in the loaded image. */
const at = (offset: bigint): string => `0x${(loadAddress + offset).toString(16)}`
const frame = (offset: bigint, own: Partial<StoredFrame> = {}): StoredFrame => ({
  ...{ imageUuid: uuid, address: at(offset) },
  ...own,
})
const call = (name: string, own: Partial<SymbolFrame> = {}): SymbolFrame => ({
  ...{ function: name, rawName: name, file: `${name}.c`, line: 1, column: 2, isInlined: false, offset: 8 },
  ...own,
})

/** Names each address by its place in the image, and lists the look-ups. */
function tableOf(find: (offset: bigint) => readonly SymbolFrame[] = (offset) => [call(`f${offset}`)]) {
  const asked: bigint[] = []
  const lookUp = async (address: bigint) => {
    asked.push(address - textAddress)
    return find(address - textAddress)
  }
  return { asked, symbols: { table: { lookUp }, textAddress } }
}

async function nameAll(frames: readonly StoredFrame[], table = tableOf(), thread: { readonly name?: string } = {}) {
  const content: CrashContent = { threads: [{ crashed: true, ...thread, frames }], images: [shop, system] }
  const result = await symbolicate(content, async (own) => (own === uuid ? table.symbols : undefined))
  const [only] = result.content.threads
  return { ...result, frames: only?.frames ?? [], asked: table.asked }
}

describe('the address', () => {
  test('of the innermost frame is exact, and that of the others is one less, because a call returns to the next instruction', async () => {
    const { asked } = await nameAll([frame(16n), frame(32n), frame(48n)])
    assert.deepEqual(asked, [16n, 31n, 47n])
  })

  test('of a frame that a signal has interrupted is exact', async () => {
    const handler = { imageUuid: systemUuid, address: '0x1a13b8004', symbol: '_sigtramp' }
    const { asked } = await nameAll([frame(16n), handler, frame(48n), frame(64n)])
    assert.deepEqual(asked, [16n, 48n, 63n])
  })

  test('of each frame of the last exception is one less', async () => {
    const { asked } = await nameAll([frame(16n), frame(32n)], tableOf(), { name: 'Last exception backtrace' })
    assert.deepEqual(asked, [15n, 31n])
  })

  test('is looked up once, however often a recursion repeats it', async () => {
    const { asked, named } = await nameAll([frame(16n), ...Array.from({ length: 500 }, () => frame(32n))])
    assert.deepEqual([asked, named], [[16n, 31n], 501])
  })

  test('loses the bits of pointer authentication on arm64, on macOS and on iOS', () => {
    const image = { loadAddress: shop.loadAddress, arch: 'arm64e' }
    const signed = (bits: number) => (0xa5n << BigInt(bits)) | (loadAddress + 64n)
    for (const bits of [47, 39, 36])
      assert.equal(
        linkedAddress(BigInt.asUintN(64, signed(bits)), image, textAddress),
        textAddress + 64n,
        `${bits} bits`,
      )
    assert.equal(linkedAddress(signed(47), { ...image, arch: 'x86_64' }, textAddress), undefined)
  })

  test('outside of the image has no name', async () => {
    const { asked, named, frames } = await nameAll([{ imageUuid: uuid, address: '0x1000' }])
    assert.deepEqual([asked, named], [[], 0])
    assert.equal(frames[0]?.symbol, undefined)
  })

  test('of a report without load addresses is that of the linker', () => {
    assert.equal(
      linkedAddress(textAddress + 5n, { arch: 'arm64', loadAddress: undefined }, textAddress),
      textAddress + 5n,
    )
  })
})

describe('a frame', () => {
  test('gets its function, file, line and column, the raw name, and its place in the function', async () => {
    const found = call('add(_:)', { rawName: '$s4Shop3addyySiF', offset: 15 })
    const { frames, named, unnamed } = await nameAll(
      [frame(16n), frame(32n)],
      tableOf(() => [found]),
    )
    assert.deepEqual(frames[1], {
      ...{ imageUuid: uuid, address: at(32n), symbol: 'add(_:)', rawSymbol: '$s4Shop3addyySiF' },
      ...{ file: 'add(_:).c', line: 1, column: 2, offset: 16 },
    })
    assert.deepEqual([named, unnamed], [2, 0])
  })

  test('in inlined calls becomes a frame for each of them, and counts once', async () => {
    const inner = call('inner', { isInlined: true, offset: null })
    const { frames, named } = await nameAll(
      [frame(16n)],
      tableOf(() => [inner, call('outer')]),
    )
    assert.deepEqual(
      frames.map(({ symbol, isInlined, address }) => [symbol, isInlined, address]),
      [
        ['inner', true, at(16n)],
        ['outer', undefined, at(16n)],
      ],
    )
    assert.equal(named, 1)
  })

  test('with a name and a file is not changed, and one with only a name gets its line', async () => {
    const whole = frame(16n, { symbol: 'sent', file: 'Sent.swift', line: 3 })
    const { frames } = await nameAll([whole, frame(32n, { symbol: 'sent' })])
    assert.deepEqual([frames[0], frames[1]?.symbol, frames[1]?.line], [whole, 'f31', 1])
  })

  test('keeps the name that was sent if the symbols have none', async () => {
    const { frames, named } = await nameAll(
      [frame(16n, { symbol: 'sent' })],
      tableOf(() => []),
    )
    assert.deepEqual([frames[0]?.symbol, named], ['sent', 1])
  })

  test('of the system does not count as unnamed, and one of an image without symbols does', async () => {
    const content: CrashContent = {
      threads: [{ frames: [{ imageUuid: systemUuid, address: '0x1a13b8004' }, frame(16n), { address: '0x1' }] }],
      images: [shop, system],
    }
    const { named, unnamed } = await symbolicate(content, async () => undefined)
    assert.deepEqual([named, unnamed], [0, 1])
  })

  test('has a name in one line of bounded length, whatever is in the symbols', async () => {
    const hostile = call(`a\u202eb\nc${'x'.repeat(5_000)}`, { rawName: '\ud800' })
    const { frames } = await nameAll(
      [frame(16n)],
      tableOf(() => [hostile]),
    )
    assert.equal(frames[0]?.symbol?.length, 1_000)
    assert.match(frames[0]?.symbol ?? '', /^a\ufffdb\ufffdcx/)
    assert.equal(frames[0]?.rawSymbol, '\ufffd')
  })

  test('gets inlined calls only up to the limit of its report', async () => {
    const deep = [...Array.from({ length: 250 }, () => call('in', { isInlined: true, offset: null })), call('out')]
    const { frames } = await nameAll(
      Array.from({ length: 1_000 }, (_, n) => frame(BigInt(n * 16 + 16))),
      tableOf(() => deep),
    )
    assert.equal(frames.filter(({ isInlined }) => isInlined).length, 100_000)
    assert.equal(frames.filter(({ symbol }) => symbol === 'out').length, 1_000, 'the functions themselves stay')
  })
})
