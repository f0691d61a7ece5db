/** Crash reports of every format are read: who crashed, when and why, and each call with its image. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as v from 'valibot'
import type { CrashContents } from '../../../../gateway/operations/apps/crashFormats/crashContents.ts'
import { readCrashTime } from '../../../../gateway/operations/apps/crashFormats/crashTime.ts'
import { readCrashReport } from '../../../../gateway/operations/apps/crashFormats/readCrashReport.ts'
import { recordCrashReport } from '../../../../spec/apps/crashReports.ts'
import { Failure } from '../../../../spec/core/failure.ts'

const nowYear = 2026
const shop = '0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0'
const system = '11112222-3333-4444-5555-666677778888'
const incident = 'F71CCC53-3A83-4BA7-88A4-09303932E28A'

/** Reads a report and checks that `recordCrashReport` accepts it. */
function read(text: string): CrashContents {
  const contents = readCrashReport(text, nowYear) as CrashContents
  const input = {
    ...contents,
    reportId: contents.reportId ?? shop,
    happenedAt: contents.happenedAt ?? '2026-01-01T00:00:00Z',
  }
  const checked = v.safeParse(recordCrashReport.input, input)
  assert.ok(checked.success, checked.issues?.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join('\n'))
  return contents
}

function refusal(text: string): { readonly message: string; readonly field: unknown } {
  try {
    readCrashReport(text, nowYear)
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'BAD_USER_INPUT', String(error))
    return { message: error.message, field: error.details?.field }
  }
  throw new Error('It was accepted.')
}

const ipsHead = {
  app_name: 'Shop',
  timestamp: '2026-01-05 09:30:01.00 +0100',
  app_version: '2.4.1',
  build_version: '241',
  bundleID: 'org.example.shop',
  bug_type: '309',
  os_version: 'iPhone OS 18.5 (22F76)',
  incident_id: incident,
}

const ipsBody = {
  modelCode: 'iPhone15,2',
  osVersion: { train: 'iPhone OS 18.5', build: '22F76', isEmbedded: true },
  captureTime: '2026-01-05 09:30:00.1234 +0100',
  incident,
  cpuType: 'ARM-64',
  bundleInfo: { CFBundleShortVersionString: '2.4.1', CFBundleVersion: '241', CFBundleIdentifier: 'org.example.shop' },
  exception: { type: 'EXC_CRASH', signal: 'SIGABRT', codes: '0x0, 0x0' },
  termination: { namespace: 'SIGNAL', indicator: 'Abort trap: 6' },
  asi: { 'libsystem_c.dylib': ['abort() called'], CoreFoundation: ['*** Terminating app due to an exception'] },
  faultingThread: 1,
  lastExceptionBacktrace: [{ imageOffset: 4_096, imageIndex: 1, symbol: '__exceptionPreprocess', symbolLocation: 160 }],
  threads: [
    {
      id: 1,
      queue: 'com.apple.main-thread',
      frames: [{ imageOffset: 8, symbol: 'mach_msg', symbolLocation: 8, imageIndex: 1 }],
    },
    {
      id: 2,
      triggered: true,
      frames: [
        {
          imageOffset: 20_480,
          imageIndex: 0,
          symbol: 'Cart.add(_:)',
          symbolLocation: 84,
          sourceFile: 'Cart.swift',
          sourceLine: 31,
        },
        { imageOffset: 24_576, imageIndex: 0, symbol: '_mh_execute_header', symbolLocation: 24_576 },
        { imageOffset: 99, imageIndex: 2 },
      ],
    },
  ],
  usedImages: [
    {
      source: 'P',
      arch: 'arm64',
      base: 4_371_070_976,
      size: 65_536,
      uuid: shop.toLowerCase(),
      path: '/private/Shop.app/Shop',
      name: 'Shop',
    },
    {
      source: 'S',
      arch: 'arm64e',
      base: 7_000_000_000,
      size: 65_536,
      uuid: system.toLowerCase(),
      name: 'CoreFoundation',
    },
    { size: 0, source: 'A', base: 0, uuid: '00000000-0000-0000-0000-000000000000' },
    { source: 'P', arch: 'arm64', base: 5_000_000_000, size: 65_536, uuid: incident.toLowerCase(), name: 'Unused' },
  ],
}

const ips = (head: object = ipsHead, body: object = ipsBody): string =>
  `${JSON.stringify(head)}\n${JSON.stringify(body, undefined, 2)}\n`

const facts = {
  reportId: incident,
  happenedAt: '2026-01-05T08:30:00.123Z',
  bundleIdentifier: 'org.example.shop',
  version: '2.4.1',
  build: '241',
  osName: 'iPhone OS',
  osVersion: '18.5 (22F76)',
  deviceModel: 'iPhone15,2',
  exceptionType: 'EXC_CRASH (SIGABRT)',
}

describe('.ips', () => {
  test('names the app, the system, the exception, and each call with its image', () => {
    const { threads, images, ...rest } = read(ips())
    assert.deepEqual(rest, { ...facts, exceptionReason: '*** Terminating app due to an exception' })
    assert.deepEqual(
      threads.map(({ name, crashed }) => ({ name, crashed })),
      [
        { name: 'Last exception backtrace', crashed: false },
        { name: 'com.apple.main-thread', crashed: false },
        { name: undefined, crashed: true },
      ],
    )
    assert.deepEqual(threads[2]?.frames, [
      { address: '0x104899000', imageUuid: shop, symbol: 'Cart.add(_:)', file: 'Cart.swift', line: 31 },
      { address: '0x10489a000', imageUuid: shop, symbol: undefined, file: undefined },
      { address: '0x63', symbol: undefined, file: undefined },
    ])
    assert.deepEqual(images, [
      { uuid: shop, name: 'Shop', arch: 'arm64', loadAddress: '0x104894000' },
      { uuid: system, name: 'CoreFoundation', arch: 'arm64e', loadAddress: '0x1a13b8600' },
    ])
  })

  test('the reason of an Objective-C exception comes before other messages', () => {
    const exceptionReason = { name: 'NSRangeException', composed_message: 'index 9 beyond bounds' }
    assert.equal(read(ips(ipsHead, { ...ipsBody, exceptionReason })).exceptionReason, 'index 9 beyond bounds')
    const { asi: _asi, ...without } = ipsBody
    assert.equal(read(ips(ipsHead, without)).exceptionReason, 'Abort trap: 6')
  })

  test('a wrong field is named, and another kind of report is refused by its type', () => {
    const { usedImages: _images, ...without } = ipsBody
    assert.equal(refusal(ips(ipsHead, without)).field, 'usedImages')
    assert.equal(
      refusal(ips(ipsHead, { ...ipsBody, threads: [{ frames: [{ imageOffset: 'x' }] }] })).field,
      'threads.0.frames.0.imageOffset',
    )
    assert.match(refusal(ips({ ...ipsHead, bug_type: '298' })).message, /bug_type 298, but crashes have 109 or 309/)
    assert.match(refusal(`${JSON.stringify(ipsHead)}\n{"threads": [`).message, /it may have been cut off/)
  })
})

const crashText = (
  version: string,
  reportVersion: string,
  os: string,
  date = '2026-01-05 09:30:00.123 +0100',
) => `Incident Identifier: ${incident}
CrashReporter Key:   5f34f05ff9130504d107ebb1aadfe546e55af43c
Hardware Model:      iPhone15,2
Process:             Big Shop [8364]
Path:                /private/var/containers/Bundle/Application/X/Big Shop.app/Big Shop
Identifier:          org.example.shop
Version:             ${version}
Code Type:           ARM-64 (Native)

Date/Time:           ${date}
OS Version:          ${os}
Report Version:      ${reportVersion}

Exception Type:  EXC_CRASH (SIGABRT)
Exception Codes: 0x0000000000000000, 0x0000000000000000
Triggered by Thread:  1

Application Specific Information:
abort() called
*** Terminating app due to an exception

Last Exception Backtrace:
(0x1000 0x104d25000)

Thread 0 name:  Dispatch queue: com.apple.main-thread
Thread 0:
0   CoreFoundation                \t0x0000000000001000 mach_msg + 8

Thread 1 Crashed:
0   Big Shop                      \t0x0000000104d25000 Cart.add(_:) + 84 (Cart.swift:31)
1   Big Shop                      \t0x0000000104d26000 0x104d20000 + 24576
2   ???                           \t0x0000000000000063 0 + 99

Thread 1 crashed with ARM Thread State (64-bit):
    x0: 0x0000000000000000   x1: 0x0000000000000000

Binary Images:
0x104d20000 - 0x104d2bfff Big Shop arm64  <${shop.replaceAll('-', '').toLowerCase()}> /private/var/containers/Bundle/Application/X/Big Shop.app/Big Shop
0x1000 - 0x1fff CoreFoundation arm64e  <${system.replaceAll('-', '').toLowerCase()}> /System/Library/Frameworks/CoreFoundation.framework/CoreFoundation
0x300000 - 0x3fffff Unused arm64  <${incident.replaceAll('-', '').toLowerCase()}> /usr/lib/Unused

EOF
`

describe('.crash', () => {
  test('of iOS: its build comes before its version, and names have spaces', () => {
    const { threads, images, ...rest } = read(crashText('241 (2.4.1)', '104', 'iPhone OS 18.5 (22F76)'))
    assert.deepEqual(rest, { ...facts, exceptionReason: '*** Terminating app due to an exception' })
    assert.deepEqual(threads, [
      {
        name: 'Last exception backtrace',
        crashed: false,
        frames: [
          { address: '0x1000', imageUuid: system },
          { address: '0x104d25000', imageUuid: shop },
        ],
      },
      {
        name: 'com.apple.main-thread',
        crashed: false,
        frames: [{ address: '0x1000', symbol: 'mach_msg', imageUuid: system }],
      },
      {
        name: undefined,
        crashed: true,
        frames: [
          { address: '0x104d25000', symbol: 'Cart.add(_:)', file: 'Cart.swift', line: 31, imageUuid: shop },
          { address: '0x104d26000', imageUuid: shop },
          { address: '0x63' },
        ],
      },
    ])
    assert.deepEqual(images, [
      { uuid: system, name: 'CoreFoundation', arch: 'arm64e', loadAddress: '0x1000' },
      { uuid: shop, name: 'Big Shop', arch: 'arm64', loadAddress: '0x104d20000' },
    ])
  })

  test('of macOS: its version comes first, a thread has its queue in its line, and images have bundle identifiers', () => {
    const text = crashText('2.4.1 (241)', '12', 'macOS 15.5 (24F74)')
      .replace('Thread 1 Crashed:', 'Thread 1 Crashed:: Dispatch queue: worker')
      .replace('Big Shop arm64  <', '+org.example.shop (2.4.1 - 241) <')
    const { version, build, osName, threads, images } = read(text)
    assert.deepEqual({ version, build, osName }, { version: '2.4.1', build: '241', osName: 'macOS' })
    assert.equal(threads[2]?.name, 'worker')
    assert.deepEqual(images[1], { uuid: shop, name: 'Big Shop', arch: 'arm64', loadAddress: '0x104d20000' })
  })

  test('with Windows line ends, and after the line of JSON of iOS before 15', () => {
    const text = crashText('241 (2.4.1)', '104', 'iPhone OS 18.5 (22F76)')
    const expected = read(text)
    assert.deepEqual(read(text.replaceAll('\n', '\r\n')), expected)
    assert.deepEqual(read(`\ufeff${JSON.stringify({ ...ipsHead, bug_type: '109' })}\n${text}`), expected)
  })

  test('a text without a thread is refused', () => {
    assert.match(refusal('Process: Shop [1]\nIdentifier: org.example.shop\n').message, /has no thread/)
  })
})

const call = (uuid: string, name: string, address: number, offset: number, ...subFrames: object[]) => ({
  binaryUUID: uuid,
  binaryName: name,
  address,
  offsetIntoBinaryTextSegment: offset,
  sampleCount: 1,
  ...(subFrames.length > 0 ? { subFrames } : {}),
})

const diagnostic = {
  version: '1.0.0',
  callStackTree: {
    callStackPerThread: true,
    callStacks: [
      {
        threadAttributed: true,
        callStackRootFrames: [
          call(shop, 'Shop', 4_371_091_456, 20_480, call(system, 'UIKitCore', 7_000_004_096, 4_096)),
        ],
      },
      { threadAttributed: false, callStackRootFrames: [call(system, 'UIKitCore', 7_000_008_192, 8_192)] },
    ],
  },
  diagnosticMetaData: {
    bundleIdentifier: 'org.example.shop',
    appVersion: '2.4.1',
    appBuildVersion: '241',
    osVersion: 'iPhone OS 18.5 (22F76)',
    deviceType: 'iPhone15,2',
    platformArchitecture: 'arm64e',
    exceptionType: 10,
    exceptionCode: 0,
    signal: 6,
    terminationReason: 'Namespace SIGNAL, Code 6',
  },
}

describe('MetricKit', () => {
  test('the root of each tree is the innermost call', () => {
    const { threads, images, ...rest } = read(JSON.stringify(diagnostic))
    assert.deepEqual(rest, { ...facts, reportId: null, happenedAt: null, exceptionReason: 'Namespace SIGNAL, Code 6' })
    assert.deepEqual(threads, [
      {
        crashed: true,
        frames: [
          { address: '0x104899000', imageUuid: shop },
          { address: '0x1a13b9600', imageUuid: system },
        ],
      },
      { crashed: false, frames: [{ address: '0x1a13ba600', imageUuid: system }] },
    ])
    assert.deepEqual(images[0], { uuid: shop, name: 'Shop', arch: 'arm64e', loadAddress: '0x104894000' })
  })

  test('a payload has its time, and exactly one crash', () => {
    const payload = (count: number) => ({
      timeStampEnd: '2026-01-05 09:30:00 +0100',
      crashDiagnostics: Array.from({ length: count }, () => diagnostic),
    })
    assert.equal(read(JSON.stringify(payload(1))).happenedAt, '2026-01-05T08:30:00.000Z')
    assert.match(refusal(JSON.stringify(payload(2))).message, /must have exactly one crash, and has 2/)
    assert.equal(refusal(JSON.stringify(payload(0))).field, 'crashDiagnostics')
  })

  test('a stack of more calls than are accepted is refused and not cut', () => {
    // Text, because JSON.stringify would need more stack than there is.
    const text = JSON.stringify({ ...diagnostic, callStackTree: { callStacks: [{ callStackRootFrames: ['DEEP'] }] } })
    const frame = JSON.stringify(call(shop, 'Shop', 1, 1)).slice(0, -1)
    const stack = `${`${frame},"subFrames":[`.repeat(99_999)}${frame}}${']}'.repeat(99_999)}`
    const { threads } = readCrashReport(text.replace('"DEEP"', stack), nowYear) as CrashContents
    assert.equal(threads[0]?.frames.length, 1_001)
    assert.ok(!v.safeParse(recordCrashReport.input.entries.threads, threads).success)
  })
})

test('other contents are refused with the formats that are accepted', () => {
  for (const text of ['', 'hello', '<?xml version="1.0"?>', '[]', '\u0000\u0001'])
    assert.match(refusal(text).message, /^body: must be a crash report: an \.ips or \.crash file/, text)
  assert.match(refusal('{"threads":').message, /^body: begins like JSON/)
})

test('names cannot hide what follows them, and are as long as is accepted', () => {
  const hostile = '\u202egnp.exe\u0000\u001b[31m\ud800'
  const body = {
    ...ipsBody,
    threads: [
      { name: hostile, frames: [{ imageOffset: 1, imageIndex: 0, symbol: `${hostile}${'x'.repeat(100_000)}` }] },
    ],
  }
  const { threads } = read(ips(ipsHead, body))
  assert.equal(threads[1]?.name, 'gnp.exe  [31m\ufffd')
  assert.equal(threads[1]?.frames[0]?.symbol?.length, 1_000)
  assert.match(threads[1]?.frames[0]?.symbol ?? '', /^gnp\.exe {2}\[31m\ufffdx+…$/)
})

test('a time is read with the digits, the calendar and the clock of its device', () => {
  const times: Readonly<Record<string, string | null>> = {
    '2026-01-05 09:30:00.1234 +0100': '2026-01-05T08:30:00.123Z',
    '2026-01-05 9:30:00.123 PM -0700': '2026-01-06T04:30:00.123Z',
    '2026-01-05 12:05:00\u202fAM +0000': '2026-01-05T00:05:00.000Z',
    '2026-01-05 12:05:00 p.m. +0000': '2026-01-05T12:05:00.000Z',
    '2026-01-05 9:30:00.123 午後 +0900': '2026-01-05T12:30:00.123Z',
    '٢٠٢٦-٠١-٠٥ ٠٩:٣٠:٠٠٫١٢٣٤ +٠٣٠٠': '2026-01-05T06:30:00.123Z',
    '2569-01-05 09:30:00.000 +0700': '2026-01-05T02:30:00.000Z',
    '2026-01-05T09:30:00Z': '2026-01-05T09:30:00.000Z',
    '2026-02-30 09:30:00 +0100': null,
    '2026-01-05 24:30:00 +0100': null,
    '1970-01-01 00:00:00 +0000': null,
    '9999-01-05 09:30:00 +0100': null,
    yesterday: null,
    '': null,
  }
  for (const [text, expected] of Object.entries(times)) assert.equal(readCrashTime(text, nowYear), expected, text)
})

test('a hostile text of 1.6 MB takes not much longer than a harmless one', () => {
  const size = 1_600_000
  const line = 4_000
  const frames = (end: string) => `Thread 0 Crashed:\n${`0   Shop ${end}\n`.repeat(size / line)}`
  const harmless = frames(`0x1 ${'a'.repeat(line)}`)
  const hostile: Readonly<Record<string, string>> = {
    spaces: frames(`0x1 ${' '.repeat(line)}x`),
    parentheses: frames(`0x1 ${' ('.repeat(line / 2)}`),
    addresses: frames(' 0x'.repeat(line / 3)),
    colons: frames(`0x1 a (${':1'.repeat(line / 2)})`),
    sums: frames(`0x1 ${' + 1'.repeat(line / 4)}x`),
    fields: `${'a: b\n'.repeat(size / 5)}Thread 0:\n`,
    threads: 'Thread 1:\n'.repeat(size / 10),
    names: `${'Thread 1 name:  x\n'.repeat(size / 18)}Thread 0:\n`,
    images: `Thread 0:\n\nBinary Images:\n${`0x1 - 0x2 ${'<'.repeat(line)}\n`.repeat(size / line)}`,
    ends: `${'\r\n'.repeat(size / 2)}Thread 0:\n`,
  }
  /** The shortest of some times, since others work on the machine too. */
  const timed = (text: string): number =>
    Math.min(
      ...Array.from({ length: 3 }, () => {
        const begun = performance.now()
        readCrashReport(`Process: x\n${text}`, nowYear)
        return performance.now() - begun
      }),
    )
  // Time in proportion to the square of a line or of the number of lines would be thousands of times as long.
  const most = timed(harmless) * 100 + 1_000
  for (const [name, text] of Object.entries(hostile)) {
    const ms = timed(text)
    assert.ok(ms < most, `${name}: ${ms.toFixed(0)} ms, and at most ${most.toFixed(0)} are allowed`)
  }
})

test('damaged reports are read or refused, and nothing else happens', () => {
  const texts = [ips(), crashText('241 (2.4.1)', '104', 'iPhone OS 18.5'), JSON.stringify(diagnostic)]
  let state = 42
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
  let readCount = 0
  for (let round = 0; round < 3_000; round++) {
    let text = texts[round % texts.length] ?? ''
    for (let damage = 0; damage <= random(4); damage++) {
      const at = random(text.length)
      const part = text.slice(at, at + random(40))
      const by = ['', part.repeat(3), 'null', '{', '"', '-1', '1e999', '\u0000', '0xffffffffffffffff'][random(9)] ?? ''
      text = text.slice(0, at) + by + text.slice(at + part.length * random(2))
    }
    try {
      readCrashReport(text, nowYear)
      readCount++
    } catch (error) {
      assert.ok(error instanceof Failure, `round ${round}: ${error instanceof Error ? error.stack : error}\n${text}`)
    }
  }
  assert.ok(readCount > 300, `${readCount} of 3,000 damaged reports could be read`)
})
