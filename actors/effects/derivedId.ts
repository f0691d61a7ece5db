import { createHash } from 'node:crypto'
import { type ActorKind, encodeId, idPrefixes } from '../../spec/core/ids.ts'

/**
 * An ID that follows from an effect: the same at each attempt, so that a repeat creates nothing a second time. It is built like a UUIDv7: the
 * time, and then a digest in the place of the random bits.
 * @param at milliseconds since 1970, the same at each attempt
 * @param seed the effect's ID, and what distinguishes the actors that the effect creates
 */
export function derivedId(kind: ActorKind, at: number, seed: readonly (string | number)[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(seed)).digest().subarray(0, 16)
  bytes.writeUIntBE(at, 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return encodeId(idPrefixes[kind], bytes)
}
