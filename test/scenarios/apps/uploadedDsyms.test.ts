/** The whole way of debug symbols: an app that clang builds, the stock upload client as the server hands it out, and a crash that waits for them. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { newUuid } from '../../kit/program/objects/crashes.ts'
import { buildApp, llvm } from '../../kit/program/objects/dsymFixtures.ts'
import { infoPlist } from '../../kit/program/objects/dsymZips.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let client: string
let build: string
let uuid: string
/** The path of the symbols, for `llvm-symbolizer`. */
let compiled: string
let binary: string

/** `check` is a part of `total` in the binary. */
const source = `
__attribute__((noinline)) int price(int item) { return item * 3; }
static inline __attribute__((always_inline)) int check(int item) {
  if (item < 0) __builtin_trap();
  return price(item) + 1;
}
__attribute__((noinline)) int total(int items) { int sum = 0; while (items--) sum += check(items); return sum; }
int main(int argc, char **argv) { return total(argc) + price(argc); }
`

before(async () => {
  stage = await startTestProgram()
  client = join(stage.folder, 'signalbox-dsym.mjs')
  const answer = await fetch(`${stage.url}/api/public/dsym/signalbox-dsym.mjs`)
  writeFileSync(client, await answer.text())
  build = join(stage.folder, 'build')
  const { symbols, binary: linked } = buildApp(join(stage.folder, 'compiled'), {
    arch: 'arm64',
    dwarfVersion: 5,
    source,
  })
  compiled = symbols
  binary = linked
  const shop = join(build, 'Products', 'Shop.app.dSYM', 'Contents')
  mkdirSync(join(shop, 'Resources', 'DWARF'), { recursive: true })
  cpSync(symbols, join(shop, 'Resources', 'DWARF', 'Shop'))
  writeFileSync(join(shop, 'Info.plist'), infoPlist('org.example.built', '2.1', '210'))
  uuid =
    /UUID: ([0-9A-F-]{36})/.exec(execFileSync('llvm-dwarfdump-19', ['--uuid', symbols], { encoding: 'utf8' }))?.[1] ??
    ''
})
after(() => stage?.end())

interface Ended {
  readonly code: number | null
  readonly output: string
}

async function upload(own: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const summary = join(stage.folder, 'summary.md')
  const env = {
    ...{ PATH: dirname(process.execPath), SIGNALBOX_SERVER: stage.url, SIGNALBOX_API_KEY: stage.key },
    ...{ GITHUB_STEP_SUMMARY: summary, CI: 'true' },
    ...own,
  }
  const child = spawn(process.execPath, [client, 'upload', build], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, problems, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ])
  return { code, output: out + problems }
}

interface Frame {
  readonly imageName: string | null
  readonly symbol: string | null
  readonly file: string | null
  readonly line: number | null
  readonly isInlined: boolean
  readonly isSystem: boolean
}

interface Report {
  readonly status: string
  readonly missingUuids: readonly string[]
  readonly namedFrameCount: number
  readonly threads: { readonly nodes: readonly { readonly frames: { readonly nodes: readonly Frame[] } }[] }
}

const reportFields = `status missingUuids namedFrameCount
  threads(first: 10) { nodes { frames(first: 50) { nodes { imageName symbol file line isInlined isSystem } } } }`

async function readReport(id: string): Promise<Report> {
  const query = `query ($id: ID!) { crashReport(id: $id) { ${reportFields} } }`
  return (await stage.ask<{ crashReport: Report }>(query, { id })).crashReport
}

async function groupOf(reportId: string): Promise<string | undefined> {
  const { crashReport } = await stage.ask<{
    crashReport: { group: { frames: readonly Pick<Frame, 'symbol'>[] } | null }
  }>('query ($id: ID!) { crashReport(id: $id) { group { frames { symbol } } } }', { id: reportId })
  return crashReport.group?.frames.map(({ symbol }) => symbol).join(' < ')
}

/** The groups that their reports have left. */
async function countEmpty(): Promise<number> {
  const { crashGroups } = await stage.ask<{ crashGroups: { totalCount: number } }>(
    '{ crashGroups(statuses: [EMPTY]) { totalCount } }',
  )
  return crashGroups.totalCount
}

/** The address of a function in the binary. */
function addressOf(name: string): bigint {
  const found = /DW_AT_low_pc\s+\((0x[0-9a-f]+)\)/.exec(llvm('llvm-dwarfdump', `--name=${name}`, compiled))
  assert.ok(found?.[1], `no address of ${name}`)
  return BigInt(found[1])
}

/** The calls at an address, as `llvm-symbolizer` names them. */
function callsAt(address: bigint): readonly Pick<Frame, 'symbol' | 'file' | 'line'>[] {
  const output = llvm('llvm-symbolizer', `--obj=${compiled}`, '--output-style=JSON', `0x${address.toString(16)}`)
  const [{ Symbol: calls }] = JSON.parse(output) as [
    { Symbol: readonly { FunctionName: string; FileName: string; Line: number }[] },
  ]
  return calls.map(({ FunctionName: symbol, FileName: file, Line: line }) => ({ symbol, file, line }))
}

/** The address to which the first call in a function returns. */
function callIn(name: string): bigint {
  const begin = addressOf(name)
  const calls = [...llvm('llvm-objdump', '-d', binary).matchAll(/^\s*([0-9a-f]+):.*\tbl\t/gm)]
  const call = calls.map(([, address]) => BigInt(`0x${address}`)).find((address) => address >= begin)
  assert.ok(call !== undefined, `no call in ${name}`)
  return call + 4n
}

const loadAddress = 0x1_04d2_0000n
const textAddress = 0x1_0000_0000n
const systemUuid = newUuid()

/**
 * A report in Apple's format. The innermost call is exact, and the other addresses are those to which calls return.
 * @param names of the calls, if the device has found them
 */
function ips(addresses: readonly bigint[], names: readonly string[] = []): string {
  const head = { bug_type: '309', incident_id: newUuid(), timestamp: '2026-01-05 10:30:00.00 +0100' }
  const body = {
    captureTime: '2026-01-05 10:30:00.1234 +0100',
    modelCode: 'iPhone15,2',
    cpuType: 'ARM-64',
    osVersion: { train: 'iPhone OS 18.5', build: '22F76' },
    bundleInfo: {
      CFBundleIdentifier: 'org.example.built',
      CFBundleShortVersionString: '2.1',
      CFBundleVersion: '210',
    },
    exception: { type: 'EXC_BREAKPOINT', signal: 'SIGTRAP' },
    faultingThread: 0,
    threads: [
      {
        triggered: true,
        frames: [
          ...addresses.map((address, index) => ({
            ...{ imageIndex: 0, imageOffset: Number(address - textAddress) },
            ...(names[index] === undefined ? {} : { symbol: names[index], symbolLocation: 4 }),
          })),
          { imageIndex: 1, imageOffset: 4096 },
        ],
      },
    ],
    usedImages: [
      { uuid, base: Number(loadAddress), arch: 'arm64', name: 'Shop', path: '/private/var/Shop.app/Shop' },
      { uuid: systemUuid, base: 0x1_a13b_8000, arch: 'arm64', name: 'dyld', path: '/usr/lib/dyld' },
    ],
  }
  return `${JSON.stringify(head)}\n${JSON.stringify(body)}`
}

/** Sends a report. @returns its ID */
async function send(body: string, own: Readonly<Record<string, string>> = {}): Promise<string> {
  const sent = await fetch(`${stage.url}/api/public/crash-reports`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', ...own },
    body,
  })
  return ((await sent.json()) as { readonly id: string }).id
}

/** The first call of a report. */
const firstFrame = ({ threads }: Report) => threads.nodes[0]?.frames.nodes[0]

let named: string
test('a report in which the device has named all calls misses no symbols', async () => {
  named = await send(ips([addressOf('price')], ['price']), { 'x-api-key': stage.key })
  const report = await readReport(named)
  assert.deepEqual([report.status, report.missingUuids, report.namedFrameCount], ['SYMBOLICATED', [], 1])
  assert.deepEqual([firstFrame(report)?.symbol, firstFrame(report)?.file], ['price', null])
})

test('a crash report waits for the symbols that a CI step uploads later, and gets its names', async () => {
  const addresses = [addressOf('price') + 4n, callIn('total'), callIn('main')]
  const id = await send(ips(addresses), { 'x-api-key': stage.key })
  const before = await readReport(id)
  assert.deepEqual(
    [before.status, before.missingUuids, before.namedFrameCount],
    ['WAITING_FOR_SYMBOLS', [uuid], 0],
    'the system has no dSYM, so it is not missing',
  )

  const first = await upload()
  assert.equal(first.code, 0, first.output)
  assert.ok(first.output.includes(uuid), first.output)
  assert.ok(readFileSync(join(stage.folder, 'summary.md'), 'utf8').includes(uuid))
  const report = await until('the report to be symbolicated', async () => {
    const now = await readReport(id)
    return now.status === 'SYMBOLICATED' ? now : undefined
  })
  const expected = addresses.flatMap((address, index) => {
    const calls = callsAt(index === 0 ? address : address - 1n)
    return calls.map((call, depth) => ({
      ...{ imageName: 'Shop', ...call, isInlined: depth < calls.length - 1, isSystem: false },
    }))
  })
  assert.deepEqual(
    expected.map(({ symbol, isInlined }) => [symbol, isInlined]),
    [
      ['price', false],
      ['check', true],
      ['total', false],
      ['main', false],
    ],
  )
  assert.deepEqual(report.threads.nodes[0]?.frames.nodes, [
    ...expected,
    { imageName: 'dyld', symbol: null, file: null, line: null, isInlined: false, isSystem: true },
  ])
  assert.deepEqual([report.namedFrameCount, report.missingUuids], [3, []])
  assert.equal(await groupOf(id), 'price < check < total')
  await until('its group by addresses to be empty', async () => (await countEmpty()) === 1 || undefined)
  const { dsyms } = await stage.ask<{ dsyms: { nodes: readonly object[] } }>(
    '{ dsyms { nodes { name bundleIdentifier version build app { name status } images { uuid arch } } } }',
  )
  assert.deepEqual(dsyms.nodes, [
    {
      ...{ name: 'Shop.app', bundleIdentifier: 'org.example.built', version: '2.1', build: '210' },
      app: { name: 'built', status: 'ACTIVE' },
      images: [{ uuid, arch: 'arm64' }],
    },
  ])
})

test('the symbols add the file and line to the calls that the device has named', async () => {
  const frame = await until('the line of the call', async () => {
    const now = firstFrame(await readReport(named))
    return now?.line == null ? undefined : now
  })
  assert.deepEqual([{ symbol: frame.symbol, file: frame.file, line: frame.line }], callsAt(addressOf('price')))
})

test('a report that arrives after the symbols is symbolicated at once', async () => {
  const id = await send(ips([addressOf('price')]))
  const report = await until('the report to be symbolicated', async () => {
    const now = await readReport(id)
    return now.status === 'SYMBOLICATED' ? now : undefined
  })
  assert.equal(firstFrame(report)?.symbol, 'price', JSON.stringify(report))
  assert.equal(await groupOf(id), 'price')
  assert.equal(await countEmpty(), 1, 'it was in no group before it had names')
})

test('the symbols of the same build are not sent a second time', async () => {
  const again = await upload()
  assert.equal(again.code, 0, again.output)
  assert.match(again.output, /the server has it already/)
  assert.ok(again.output.includes(uuid), again.output)
})

test('a wrong key fails the step, and is not printed', async () => {
  const { code, output } = await upload({ SIGNALBOX_API_KEY: 'svc_wrong_key_of_a_test' })
  assert.equal(code, 1, output)
  assert.ok(!output.includes('svc_wrong_key_of_a_test'), output)
  assert.match(output, /key/i)
})
