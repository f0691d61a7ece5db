/** The reader of a log gets the whole text, for all sizes of its stored pieces and of the requested pages. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { freshStates, logCursor, logPosition } from '../../../../gateway/operations/runs/logs/position.ts'
import { type ReadLog, readForward, readLast } from '../../../../gateway/operations/runs/logs/read.ts'
import { storedStream } from './storedStream.ts'

const name = 'log'
const start = { attempt: 1, sequence: 0, offset: 0, states: freshStates }
const ended = (texts: readonly string[]) => [
  ...texts.map((text) => ['STDOUT', text] as const),
  ['END', '{"chunks":1}'] as const,
]

/** Cuts bytes at random places, within characters and escape sequences too. */
const pieces = (bytes: Uint8Array) =>
  fc.array(fc.nat(bytes.length), { maxLength: 12 }).map((cuts) => {
    const at = [0, ...cuts.sort((a, b) => a - b), bytes.length]
    return at.slice(1).map((end, index) => bytes.subarray(at[index], end))
  })

const word = fc.oneof(
  fc.constantFrom(
    'é',
    '日本語',
    '👩‍💻',
    'plain ',
    'a\n',
    '\r\n',
    '\u001b[1;31m',
    '\u001b[0m',
    '\u001b]8;;http://x\u0007',
    '\u001b(B',
  ),
  fc.string({ unit: 'grapheme', maxLength: 5 }).filter((text) => !text.includes('\u001b') && !text.includes('\u009b')),
)
const log = fc
  .array(word, { maxLength: 60 })
  .chain((words) => fc.tuple(fc.constant(words.join('')), pieces(new TextEncoder().encode(words.join('')))))

async function readAll(views: ReturnType<typeof storedStream>, keepAnsi: boolean, maxBytes: number): Promise<string> {
  let [text, cursor] = ['', logCursor(start)]
  for (let rounds = 0; ; rounds++) {
    ok(rounds < 10_000, 'it goes on for ever')
    const read: ReadLog = await readForward({ views, name, keepAnsi, maxBytes }, logPosition(cursor))
    ok(new TextEncoder().encode(read.text).length <= maxBytes + 3)
    equal(read.moreBefore, rounds > 0)
    text += read.text
    cursor = logCursor(read.position)
    if (!read.more) {
      equal(read.over, true)
      return text
    }
  }
}

describe('a log that is read from its beginning', () => {
  it('is complete, character by character, in pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.integer({ min: 12, max: 200 }), async ([text, chunks], maxBytes) => {
        const views = storedStream([...chunks.map((data) => ['STDOUT', data] as const), ['END', '{}']])
        equal(await readAll(views, true, maxBytes), text)
      }),
      { numRuns: 300 },
    )
  })

  it('has no escape sequences if they are not requested, however they were split', async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.integer({ min: 12, max: 200 }), async ([text, chunks], maxBytes) => {
        const views = storedStream([...chunks.map((data) => ['STDOUT', data] as const), ['END', '{}']])
        equal(await readAll(views, false, maxBytes), stripVTControlCharacters(text))
      }),
      { numRuns: 300 },
    )
  })

  it('joins the split characters of two outputs separately', async () => {
    const [a, b] = [new TextEncoder().encode('é'), new TextEncoder().encode('日')]
    const views = storedStream([
      ['STDOUT', a.subarray(0, 1)],
      ['STDERR', b.subarray(0, 2)],
      ['STDOUT', a.subarray(1)],
      ['STDERR', b.subarray(2)],
    ])
    equal((await readForward({ views, name, keepAnsi: true, maxBytes: 1_000 }, start)).text, 'é日')
  })

  it('shows bytes that are not UTF-8 as replacement characters, also half a character at its end', async () => {
    const views = storedStream([
      ['STDOUT', Uint8Array.of(0xff, 0x61, 0xf5, 0xe6)],
      ['END', '{}'],
    ])
    equal((await readForward({ views, name, keepAnsi: false, maxBytes: 1_000 }, start)).text, '\ufffda\ufffd\ufffd')
  })

  it('continues at its position after more output has arrived', async () => {
    const half = new TextEncoder().encode('one é')
    const before = await readForward(
      { views: storedStream([['STDOUT', half.subarray(0, -1)]]), name, keepAnsi: false, maxBytes: 1_000 },
      start,
    )
    deepEqual([before.text, before.more, before.over], ['one ', false, false])
    const later = storedStream([
      ['STDOUT', half.subarray(0, -1)],
      ['STDOUT', half.subarray(-1)],
      ['END', '{}'],
    ])
    const after = await readForward(
      { views: later, name, keepAnsi: false, maxBytes: 1_000 },
      logPosition(logCursor(before.position)),
    )
    deepEqual([after.text, after.more, after.over], ['é', false, true])
  })

  it('is refused if the entries after the cursor were deleted', async () => {
    const views = storedStream([['STDOUT', 'late']], 7)
    await rejects(readForward({ views, name, keepAnsi: false, maxBytes: 1_000 }, { ...start, sequence: 3 }), {
      code: 'HISTORY_GONE',
    })
  })

  it('keeps the text after an unfinished escape sequence', async () => {
    const views = storedStream(ended(['\u001b]0;title\nnext\u001b[12\nlast \u001b']))
    equal((await readForward({ views, name, keepAnsi: false, maxBytes: 1_000 }, start)).text, '\nnext\nlast ')
  })
})

describe('the end of a log', () => {
  const last = async (texts: readonly string[], lines: number, maxBytes = 1_000) => {
    const read = await readLast({ views: storedStream(ended(texts)), name, keepAnsi: false, maxBytes }, 1, lines)
    return [read.text, read.moreBefore, read.over]
  }

  it('has the last lines', async () => {
    deepEqual(await last(['one\ntwo\nth', 'ree\nfour\n'], 2), ['three\nfour\n', true, true])
    deepEqual(await last(['one\ntwo'], 1), ['two', true, true])
    deepEqual(await last(['one\ntwo\n'], 2), ['one\ntwo\n', false, true])
    deepEqual(await last(['one\ntwo\n'], 9), ['one\ntwo\n', false, true])
    deepEqual(await last([], 9), ['', false, true])
    deepEqual(await last(['\n\n\n'], 2), ['\n\n', true, true])
  })

  it('has only the whole lines that fit into the page, or else the end of the last line', async () => {
    deepEqual(await last([`${'x'.repeat(900)}\n${'y'.repeat(200)}\n`], 5), [`${'y'.repeat(200)}\n`, true, true])
    deepEqual(await last(['é'.repeat(2_000)], 5, 1_001), ['é'.repeat(500), true, true])
  })

  it('is read without the rest of the log', async () => {
    const texts = Array.from({ length: 5_000 }, (_, number) => `line ${number} é\n`)
    const views = storedStream(ended(texts))
    const read = await readLast({ views, name, keepAnsi: false, maxBytes: 50_000 }, 1, 20)
    equal(read.text, texts.slice(-20).join(''))
    ok(views.entriesRead < 100, `${views.entriesRead} entries were read`)
  })

  it('is the text that a reader from the beginning reads last', async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.integer({ min: 1, max: 9 }), async ([text, chunks], lines) => {
        const views = storedStream([...chunks.map((data) => ['STDOUT', data] as const), ['END', '{}']])
        const read = await readLast({ views, name, keepAnsi: true, maxBytes: 100_000 }, 1, lines)
        ok(text.endsWith(read.text))
        equal(read.text.split('\n').length, Math.min(lines + (text.endsWith('\n') ? 1 : 0), text.split('\n').length))
      }),
      { numRuns: 300 },
    )
  })

  it('has the position from which reading continues', async () => {
    const before = storedStream([['STDOUT', 'one\ntwo\n']])
    const { position } = await readLast({ views: before, name, keepAnsi: false, maxBytes: 1_000 }, 1, 1)
    const after = storedStream([
      ['STDOUT', 'one\ntwo\n'],
      ['STDOUT', 'three\n'],
      ['END', '{}'],
    ])
    const read = await readForward({ views: after, name, keepAnsi: false, maxBytes: 1_000 }, position)
    deepEqual([read.text, read.moreBefore, read.over], ['three\n', true, true])
  })
})
