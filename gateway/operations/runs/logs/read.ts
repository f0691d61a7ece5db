import type { StreamEntry } from '../../../../spec/core/actor.ts'
import type { TypedViews } from '../../typedViews.ts'
import { decode, decodeRest, leadingRest } from './decode.ts'
import { headOf, historyGone, isOutput, pagesBack, pagesFrom } from './pages.ts'
import { freshStates, type LogPosition, type OutputStates, outputOf, outputs } from './position.ts'

export interface ReadLog {
  readonly text: string
  /** The position at which the next read continues. */
  readonly position: LogPosition
  readonly moreBefore: boolean
  readonly more: boolean
  /** Whether the log has ended and nothing follows. */
  readonly over: boolean
}

export interface Reading {
  readonly views: TypedViews
  readonly name: string
  readonly keepAnsi: boolean
  /** The maximum size of the text as UTF-8. */
  readonly maxBytes: number
}

const encoder = new TextEncoder()
const sizeOf = (text: string): number => encoder.encode(text).length

/** An invalid byte becomes a replacement character of three bytes. */
const growth = 3

/** @throws Failure HISTORY_GONE */
export async function readForward(reading: Reading, from: LogPosition): Promise<ReadLog> {
  const { views, name, keepAnsi, maxBytes } = reading
  let { sequence, offset, states } = from
  let [text, room, next, ended] = ['', maxBytes, 0, false]
  const at = (): LogPosition => ({ attempt: from.attempt, sequence, offset, states })
  for await (const page of pagesFrom(views, name, sequence)) {
    ;({ next, ended } = page)
    if (sequence < page.first) throw historyGone(page.first)
    for (const entry of page.entries) {
      const { data } = entry
      while (isOutput(entry) && offset < data.length) {
        const rest = data.length - offset
        const take = rest * growth <= room ? rest : Math.floor(room / growth)
        if (take <= 0) return { text, position: at(), moreBefore: isBehind(from), more: true, over: false }
        const output = outputOf(entry.kind)
        const piece = decode(data.subarray(offset, offset + take), states[output], keepAnsi)
        states = { ...states, [output]: piece.state }
        text += piece.text
        room -= sizeOf(piece.text)
        offset += take
      }
      sequence = entry.sequence + 1
      offset = 0
    }
  }
  const over = ended && sequence >= next
  if (over) {
    text += restOf(states)
    states = freshStates
  }
  return { text, position: at(), moreBefore: isBehind(from), more: false, over }
}

const isBehind = ({ sequence, offset }: LogPosition): boolean => sequence > 0 || offset > 0

const restOf = (states: OutputStates): string => outputs.map((output) => decodeRest(states[output])).join('')

/** The number of raw bytes that are read for each byte of text. Escape sequences may take the rest. */
const lookback = 4

export async function readLast(reading: Reading, attempt: number, lines: number): Promise<ReadLog> {
  const { views, name, keepAnsi, maxBytes } = reading
  const head = await headOf(views, name)
  const { first, next, ended } = head
  let [found, bytes, ends] = [[] as StreamEntry[], 0, 0]
  for await (const page of pagesBack(views, name, head)) {
    const entries = page.entries.filter(isOutput)
    found = [...entries, ...found]
    for (const { data } of entries) {
      bytes += data.length
      ends += count(data, newline)
    }
    // One line end more than lines: the one before the first line.
    if (ends > lines || bytes > maxBytes * lookback) break
  }
  const fromStart = (found[0]?.sequence ?? first) <= first
  const begun = new Set<string>()
  let states = freshStates
  let text = ''
  for (const { kind, data } of found) {
    const output = outputOf(kind)
    const skip = fromStart || begun.has(output) ? 0 : leadingRest(data)
    begun.add(output)
    const piece = decode(data.subarray(skip), states[output], keepAnsi)
    states = { ...states, [output]: piece.state }
    text += piece.text
  }
  if (ended) {
    text += restOf(states)
    states = freshStates
  }
  const kept = lastBytes(lastLines(fromStart ? text : afterLineEnd(text), lines), maxBytes)
  return {
    text: kept,
    position: { attempt, sequence: next, offset: 0, states },
    moreBefore: first > 0 || !fromStart || kept.length < text.length,
    more: false,
    over: ended,
  }
}

const newline = 10

function count(data: Uint8Array, byte: number): number {
  let found = 0
  for (let at = data.indexOf(byte); at >= 0; at = data.indexOf(byte, at + 1)) found++
  return found
}

/** Removes the rest of a line whose beginning was not read. */
function afterLineEnd(text: string): string {
  const end = text.indexOf('\n')
  return end < 0 || end === text.length - 1 ? text : text.slice(end + 1)
}

function lastLines(text: string, lines: number): string {
  let from = text.endsWith('\n') ? text.length - 1 : text.length
  for (let found = 0; found < lines; found++) {
    from = from === 0 ? -1 : text.lastIndexOf('\n', from - 1)
    if (from < 0) return text
  }
  return text.slice(from + 1)
}

/** Keeps whole lines if the text has any. */
function lastBytes(text: string, maxBytes: number): string {
  const bytes = encoder.encode(text)
  if (bytes.length <= maxBytes) return text
  const end = bytes.subarray(bytes.length - maxBytes)
  const cut = new TextDecoder('utf-8', { ignoreBOM: true }).decode(end.subarray(leadingRest(end)))
  return afterLineEnd(cut)
}
