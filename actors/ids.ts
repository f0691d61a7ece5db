/** Creates IDs that sort by their creation time, also within one millisecond. Source: RFC 9562, section 6.2, method 1. */
import { randomFillSync } from 'node:crypto'
import { type ActorKind, encodeId, idPrefixes } from '../spec/core/ids.ts'
import type { Clock, Ids } from './ports/clock.ts'

const counterLimit = 0xfff

/** @param random fills the bytes that make an ID unique */
export function createIds(clock: Pick<Clock, 'now'>, random: (bytes: Uint8Array) => void = randomFillSync): Ids {
  let last = 0
  let counter = 0
  return {
    next(kind: ActorKind): string {
      const now = clock.now()
      if (now > last) {
        last = now
        counter = 0
      } else if (++counter > counterLimit) {
        // More than 4,096 in one millisecond, or a clock that went back: use the next millisecond.
        last++
        counter = 0
      }
      return encodeId(idPrefixes[kind], uuidv7(last, counter, random))
    },
  }
}

function uuidv7(ms: number, counter: number, random: (bytes: Uint8Array) => void): Uint8Array {
  const bytes = new Uint8Array(16)
  random(bytes.subarray(8))
  new DataView(bytes.buffer).setUint32(0, Math.floor(ms / 0x10000))
  new DataView(bytes.buffer).setUint16(4, ms % 0x10000)
  bytes[6] = 0x70 | (counter >>> 8)
  bytes[7] = counter & 0xff
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return bytes
}
