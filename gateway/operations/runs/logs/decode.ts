import { type EscapeState, stripped } from './strip.ts'

/** The state of the decoder of one output. */
export interface OutputState {
  /** The first bytes of a character whose other bytes were not read yet. */
  readonly pending: Uint8Array
  readonly escape: EscapeState
}

export const freshOutput: OutputState = { pending: new Uint8Array(), escape: 'text' }

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function decode(
  bytes: Uint8Array,
  before: OutputState,
  keepAnsi: boolean,
): { readonly text: string; readonly state: OutputState } {
  const all = joined(before.pending, bytes)
  const whole = all.length - unfinished(all)
  const text = decoder.decode(all.subarray(0, whole))
  const pending = all.slice(whole)
  if (keepAnsi) return { text, state: { pending, escape: before.escape } }
  const plain = stripped(text, before.escape)
  return { text: plain.text, state: { pending, escape: plain.state } }
}

/** Decodes the bytes of a character that stays incomplete. */
export function decodeRest({ pending }: OutputState): string {
  return decoder.decode(pending)
}

/** Counts the bytes at the beginning that belong to the character before them. */
export function leadingRest(bytes: Uint8Array): number {
  let count = 0
  while (count < 3 && isContinuation(bytes[count])) count++
  return count
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** Counts the bytes at the end that begin a character and do not complete it: 0 to 3. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isContinuation(byte)) continue
    const needs = byte >= 0xf0 && byte <= 0xf4 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1
    return byte <= 0xf4 && needs > back ? back : 0
  }
  return 0
}
