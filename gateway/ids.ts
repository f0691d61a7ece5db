/** Creates IDs that sort by their creation time, also within one millisecond. Source: RFC 9562, section 6.2, method 1. */
import { randomFillSync } from 'node:crypto'
import type { Clock } from '../actors/ports/clock.ts'
import { type ActorKind, encodeId, idPrefixes } from '../spec/core/ids.ts'

export interface Ids<K extends string = ActorKind> {
  next(kind: K): string
}

const counterLimit = 0xfff

export function createIds(clock: Pick<Clock, 'now'>): Ids
export function createIds<K extends string>(clock: Pick<Clock, 'now'>, prefixes: Readonly<Record<K, string>>): Ids<K>
export function createIds(
  clock: Pick<Clock, 'now'>,
  prefixes: Readonly<Record<string, string>> = idPrefixes,
): Ids<string> {
  let last = 0
  let counter = 0
  return {
    next(kind: string): string {
      const prefix = prefixes[kind]
      if (prefix === undefined) throw new Error(`the kind ${kind} has no ID prefix`)
      const now = clock.now()
      if (now > last) {
        last = now
        counter = 0
      } else if (++counter > counterLimit) {
        // More than 4,096 in one millisecond, or a clock that went back: use the next millisecond.
        last++
        counter = 0
      }
      return encodeId(prefix, uuidv7(last, counter))
    },
  }
}

function uuidv7(ms: number, counter: number): Uint8Array {
  const bytes = new Uint8Array(16)
  randomFillSync(bytes, 8)
  new DataView(bytes.buffer).setUint32(0, Math.floor(ms / 0x10000))
  new DataView(bytes.buffer).setUint16(4, ms % 0x10000)
  bytes[6] = 0x70 | (counter >>> 8)
  bytes[7] = counter & 0xff
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return bytes
}
