/** Crash reports of every format are read: who crashed, when and why, and each call with its image. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as v from 'valibot'
import type { CrashContents } from '../../../../gateway/operations/apps/crashFormats/crashContents.ts'
import { readCrashTime } from '../../../../gateway/operations/apps/crashFormats/crashTime.ts'
import { readCrashReport } from '../../../../gateway/operations/apps/crashFormats/readCrashReport.ts'
import { recordCrashReport } from '../../../../spec/apps/crashReports.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import {
  call,
  crashText,
  diagnostic,
  incident,
  ips,
  ipsBody,
  ipsHead,
  shop,
  system,
} from '../../../kit/program/objects/crashFiles.ts'

const nowYear = 2026
/** Reads a report and checks that `recordCrashReport` accepts it. */
function read(text: string): CrashContents {
  const contents = readCrashReport(text, nowYear).contents as CrashContents
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
      { uuid: shop, name: 'Shop', arch: 'arm64', loadAddress: '0x104894000', path: '/private/Shop.app/Shop' },
      { uuid: system, name: 'CoreFoundation', arch: 'arm64e', loadAddress: '0x1a13b8600', path: undefined },
    ])
  })

  test('the reason of an Objective-C exception comes before other messages', () => {
    const exceptionReason = { name: 'NSRangeException', composed_message: 'index 9 beyond bounds' }
    assert.equal(read(ips(ipsHead, { ...ipsBody, exceptionReason })).exceptionReason, 'index 9 beyond bounds')
    const { asi: _asi, ...without } = ipsBody
    assert.equal(read(ips(ipsHead, without)).exceptionReason, 'Abort trap: 6')
  })

  test('a wrong field is named in the error, and another type of report is refused', () => {
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

/** The path of the app in the samples. */
const phonePath = '/private/var/containers/Bundle/Application/X/Big Shop.app/Big Shop'

describe('.crash', () => {
  test('of iOS is read with the build before the version, and with spaces in names', () => {
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
      {
        ...{ uuid: system, name: 'CoreFoundation', arch: 'arm64e', loadAddress: '0x1000' },
        path: '/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation',
      },
      { uuid: shop, name: 'Big Shop', arch: 'arm64', loadAddress: '0x104d20000', path: phonePath },
    ])
  })

  test('of macOS is read with the version first, the queue in the line of its thread, and bundle identifiers in images', () => {
    const text = crashText('2.4.1 (241)', '12', 'macOS 15.5 (24F74)')
      .replace('Thread 1 Crashed:', 'Thread 1 Crashed:: Dispatch queue: worker')
      .replace('Big Shop arm64  <', '+org.example.shop (2.4.1 - 241) <')
    const { version, build, osName, threads, images } = read(text)
    assert.deepEqual({ version, build, osName }, { version: '2.4.1', build: '241', osName: 'macOS' })
    assert.equal(threads[2]?.name, 'worker')
    assert.deepEqual(images[1], {
      uuid: shop,
      name: 'Big Shop',
      arch: 'arm64',
      loadAddress: '0x104d20000',
      path: phonePath,
    })
  })

  test('is read with Windows line ends, and after the JSON line of iOS before 15', () => {
    const text = crashText('241 (2.4.1)', '104', 'iPhone OS 18.5 (22F76)')
    const expected = read(text)
    assert.deepEqual(read(text.replaceAll('\n', '\r\n')), expected)
    assert.deepEqual(read(`\ufeff${JSON.stringify({ ...ipsHead, bug_type: '109' })}\n${text}`), expected)
  })

  test('a word that is too long for an architecture is not read as one', () => {
    const text = crashText('241 (2.4.1)', '104', 'iPhone OS 18.5 (22F76)')
    const { images } = read(text.replace('Big Shop arm64  <', `Big Shop arm64${'x'.repeat(16)}  <`))
    assert.equal(images[1]?.arch, 'arm64')
  })

  test('a text without a thread is refused', () => {
    assert.match(refusal('Process: Shop [1]\nIdentifier: org.example.shop\n').message, /has no thread/)
  })
})

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

  test('a code that is the name of a built-in method is read like other codes', () => {
    const withCodes = (exceptionType: string, signal: string | undefined) =>
      read(
        JSON.stringify({
          ...diagnostic,
          diagnosticMetaData: { ...diagnostic.diagnosticMetaData, exceptionType, signal },
        }),
      ).exceptionType
    assert.equal(withCodes('toString', undefined), 'exception toString')
    assert.equal(withCodes('10', 'constructor'), 'EXC_CRASH (signal constructor)')
  })

  test('a stack of more calls than are accepted is refused and not cut', () => {
    // Text, because JSON.stringify would need more stack than there is.
    const text = JSON.stringify({ ...diagnostic, callStackTree: { callStacks: [{ callStackRootFrames: ['DEEP'] }] } })
    const frame = JSON.stringify(call(shop, 'Shop', 1, 1)).slice(0, -1)
    const stack = `${`${frame},"subFrames":[`.repeat(99_999)}${frame}}${']}'.repeat(99_999)}`
    const { threads } = readCrashReport(text.replace('"DEEP"', stack), nowYear).contents as CrashContents
    assert.equal(threads[0]?.frames.length, 1_001)
    assert.ok(!v.safeParse(recordCrashReport.input.entries.threads, threads).success)
  })
})

test('other contents are refused, and the error names the accepted formats', () => {
  for (const text of ['', 'hello', '<?xml version="1.0"?>', '[]', '\u0000\u0001'])
    assert.match(refusal(text).message, /^body: must be a crash report: an \.ips or \.crash file/, text)
  assert.match(refusal('{"threads":').message, /^body: begins like JSON/)
})

test('a line number above 32 bits is refused in our own format, and omitted from a report of Apple', () => {
  const own = (line: number) => ({
    ...read(ips()),
    ...{ reportId: shop, happenedAt: '2026-01-01T00:00:00Z', images: [] },
    threads: [{ crashed: true, frames: [{ address: '0x10', file: 'Cart.swift', line }] }],
  })
  assert.ok(v.is(recordCrashReport.input, own(2 ** 31 - 1)))
  assert.ok(!v.is(recordCrashReport.input, own(2 ** 31)))
  const [frame] = ipsBody.threads[1]?.frames ?? []
  const { threads } = read(ips(ipsHead, { ...ipsBody, threads: [{ frames: [{ ...frame, sourceLine: 2 ** 31 }] }] }))
  assert.deepEqual(
    threads.at(-1)?.frames.map(({ symbol, line }) => [symbol, line]),
    [['Cart.add(_:)', undefined]],
  )
})

test('names have no characters that hide other text, and are cut to the accepted length', () => {
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

test('damaged reports are read or refused, without any other error', () => {
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
