/** The output for terminals and logs, secrets in it, and dates of servers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanText } from '../../../clients/dsym/report/cleanText.ts'
import { Durations } from '../../../clients/dsym/report/durations.ts'
import { formatBytes } from '../../../clients/dsym/report/formatBytes.ts'
import { Masks } from '../../../clients/dsym/report/masks.ts'
import { createOutput } from '../../../clients/dsym/report/output.ts'
import { summaryMarkdown } from '../../../clients/dsym/report/summary.ts'
import { parseRetryAfter } from '../../../clients/dsym/send/retryAfter.ts'

function collect(place: { readonly isTerminal?: boolean; readonly isGitHub?: boolean }) {
  let now = 0
  const written = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      written[name] += text
    },
  })
  const output = createOutput(
    { stdout: stream('stdout'), stderr: stream('stderr'), isTerminal: false, isGitHub: false, ...place },
    new Masks(['svc_secret']),
    () => now,
  )
  return { output, written, advance: (ms: number) => (now += ms) }
}

test('on a terminal, progress is a bar that is removed before a line', () => {
  const { output, written, advance } = collect({ isTerminal: true })
  output.progress({ label: 'Sending', done: 1, total: 2 })
  assert.equal(written.stderr, `\r\u001b[KSending ${'█'.repeat(15)}${'░'.repeat(15)} 50 %`)
  advance(50)
  output.progress({ label: 'Sending', done: 2, total: 2 })
  assert.ok(written.stderr.endsWith('50 %'), 'it is drawn at most ten times a second')
  output.info('done')
  assert.ok(written.stderr.endsWith('\r\u001b[K'))
  assert.equal(written.stdout, 'done\n')
})

test('in a log, progress is one line every ten seconds', () => {
  const { output, written, advance } = collect({})
  for (let second = 0; second <= 25; second++) {
    output.progress({ label: 'Sending', done: second, total: 100 })
    advance(1_000)
  }
  assert.equal(written.stdout, 'Sending: 10 %\nSending: 20 %\n')
})

test('a log line is never a command to GitHub', () => {
  const { output, written } = collect({ isGitHub: true })
  output.info('::error::x')
  output.error('50% of svc_secret\n::stop::')
  assert.equal(written.stdout, '::add-mask::svc_secret\n : :error::x\n::error::50%25 of *** ::stop::\n')
})

test('parts of a secret are masked too, the longest first', () => {
  const masks = new Masks(['Bearer abcdefgh12', 'abcdefgh12345', 'CF_Auth=tokentoken; x=1'])
  assert.equal(
    masks.apply('abcdefgh12345 Bearer abcdefgh12 abcdefgh12 tokentoken Bearer x=1'),
    '*** *** *** *** Bearer x=1',
  )
})

test('text from outside becomes one line without control characters, of at most the given length', () => {
  assert.equal(cleanText('a\r\nb\u001b[31mc\u202ed\u2028e'), 'a  b [31mc d e')
  assert.equal(cleanText('😀'.repeat(20), 10), `${'😀'.repeat(10)}…`)
})

test('sizes are shown in binary units', () => {
  assert.deepEqual([0, 1023, 1024, 19 * 1024 ** 3].map(formatBytes), ['0 B', '1023 B', '1.0 KiB', '19.0 GiB'])
})

test('Retry-After is seconds or a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  const values = {
    '120': 120_000,
    ' 0 ': 0,
    'Thu, 01 Jan 2026 00:01:00 GMT': 60_000,
    'Thursday, 01-Jan-26 00:00:30 GMT': 30_000,
    'Thu, 01 Jan 2020 00:00:00 GMT': 0,
    '-1': undefined,
    '1.5': undefined,
    soon: undefined,
    '': undefined,
  }
  for (const [text, expected] of Object.entries(values)) assert.equal(parseRetryAfter(text, now), expected, text)
  assert.equal(parseRetryAfter(undefined, now), undefined)
})

test('a summary of 500 bundles with many images is bounded', () => {
  const images = [{ uuid: 'U'.repeat(36), arch: 'arm64' }]
  const dsym = { name: '|'.repeat(2_000), bundleIdentifier: 'x', version: '1', build: '', images }
  const completed = {
    id: 'dup_1',
    status: 'INDEXED' as const,
    duplicateOf: undefined,
    dsyms: Array.from({ length: 1_500 }, () => ({ ...dsym, name: 'App' })),
    warnings: [],
    crashesToSymbolicate: 0,
  }
  const text = summaryMarkdown([{ filename: 'a.zip', completed, failure: undefined }], (text) => text)
  assert.match(text, /500 more images are in the log of the step/)
  assert.ok(text.length < 1_000_000)
})

test('the parts of an upload have their times, whether they succeed or not, and repeated parts are added', async () => {
  let now = 0
  const durations = new Durations(() => now)
  assert.equal(durations.describe(), '')
  const work = (ms: number) => async () => {
    now += ms
    return ms
  }
  assert.equal(await durations.measure('send', work(1_500)), 1_500)
  await durations.measure('zip', work(3_104))
  const fail = async () => {
    now += 250
    throw new Error('cut off')
  }
  await assert.rejects(durations.measure('send', fail), /cut off/)
  assert.equal(durations.describe(), 'zipped in 3.10 s, sent in 1.75 s')
})
