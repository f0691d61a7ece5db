/** Reports of one crash have one place and so one group, and those of other crashes another one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOfCrash } from '../../../../../gateway/operations/apps/groups/crashPlace.ts'
import { groupOfCrash } from '../../../../../gateway/operations/apps/groups/groupOfCrash.ts'
import type {
  CrashContent,
  StoredFrame,
  StoredImage,
} from '../../../../../gateway/operations/apps/threads/storedThreads.ts'

const shop: StoredImage = {
  ...{ name: 'Shop', arch: 'arm64', uuid: '0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0', loadAddress: '0x104d20000' },
}
const kit: StoredImage = { ...shop, name: 'Kit', uuid: '1F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0' }
const system: StoredImage = {
  ...{ name: 'UIKitCore', arch: 'arm64', uuid: '11112222-3333-4444-5555-666677778888', isSystem: true },
}

const call = (symbol: string | undefined, image: StoredImage = shop, address = '0x104d21000'): StoredFrame => ({
  ...{ imageUuid: image.uuid, address, symbol },
})
const report = (frames: readonly StoredFrame[], images = [shop, kit, system]): CrashContent => ({
  threads: [
    { name: 'main', frames: [call('start', system)] },
    { crashed: true, frames },
  ],
  images,
})
const shown = (content: CrashContent) =>
  placeOfCrash(content).map(({ image, symbol, address }) => [image, symbol ?? address])
const groupId = async (content: CrashContent, exception = 'EXC_BREAKPOINT (SIGTRAP)', app = 'app_1') =>
  (await groupOfCrash(app, exception, placeOfCrash(content))).id

test('the place is the three innermost calls of the app in the thread that crashed', () => {
  const frames = [
    call('abort', system),
    call('a'),
    call('b', kit),
    call('UIApplicationMain', system),
    call('c'),
    call('d'),
  ]
  assert.deepEqual(shown(report(frames)), [
    ['Shop', 'a'],
    ['Kit', 'b'],
    ['Shop', 'c'],
  ])
})

test('without a call of the app, the place has the calls of the system', () => {
  assert.deepEqual(shown(report([call('abort', system), call(undefined, system, '0x1a0000000')])), [
    ['UIKitCore', 'abort'],
    ['UIKitCore', '0x1a0000000'],
  ])
  assert.deepEqual(shown(report([{ address: '0x10' }])), [])
})

test('a recursion counts as one call, and a reason that the compiler records as a call does not count', () => {
  const frames = [call('Swift runtime failure: Index out of range'), call('f'), call('f'), call('f'), call('g')]
  assert.deepEqual(shown(report(frames)), [
    ['Shop', 'f'],
    ['Shop', 'g'],
  ])
})

test('the stack of an uncaught exception takes precedence over that of the thread which raised it again', () => {
  const content = report([call('rethrow')])
  const own = { name: 'Last exception backtrace', frames: [call('total')] }
  assert.deepEqual(shown({ ...content, threads: [...content.threads, own] }), [['Shop', 'total']])
})

test('a call without a name has its place in its image, whatever address the image was loaded at', () => {
  const loaded = (base: bigint) => {
    const image = { ...shop, loadAddress: `0x${base.toString(16)}` }
    return report([call(undefined, image, `0x${(base + 0x1f40n).toString(16)}`)], [image])
  }
  assert.deepEqual(placeOfCrash(loaded(0x1_0000_0000n)), placeOfCrash(loaded(0x1_7777_0000n)))
  assert.deepEqual(shown(loaded(0x1_0000_0000n)), [['Shop', '0x1f40']])
})

test('builds of one app share a group by names, and not by addresses', async () => {
  const next: StoredImage = { ...shop, uuid: '2F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0' }
  const named = [report([call('total')]), report([call('total', next)], [next])] as const
  assert.equal(await groupId(named[0]), await groupId(named[1]))
  const unnamed = [report([call(undefined)]), report([call(undefined, next)], [next])] as const
  assert.notEqual(await groupId(unnamed[0]), await groupId(unnamed[1]))
})

test('the parts into which compilers split a function belong to it', async () => {
  const whole = await groupId(report([call('total(int)')]))
  for (const part of ['total(int) (.cold.1)', 'total(int) [clone .cold]', 'total(int).llvm.123', 'total(int).cold.1'])
    assert.equal(await groupId(report([call(part)])), whole, part)
})

test('another exception, another app or another caller leads to another group, and another signal does not', async () => {
  const content = report([call('total'), call('checkout')])
  const own = await groupId(content)
  assert.equal(await groupId(content, 'EXC_BREAKPOINT'), own)
  for (const other of [
    await groupId(content, 'EXC_BAD_ACCESS (SIGSEGV)'),
    await groupId(content, 'EXC_BREAKPOINT', 'app_2'),
    await groupId(report([call('total'), call('preview')])),
    await groupId(report([call('total')])),
  ])
    assert.notEqual(other, own)
})
