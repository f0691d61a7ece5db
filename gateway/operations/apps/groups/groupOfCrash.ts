import type { CrashGroupPlace } from '../../../../spec/apps/crashPlace.ts'
import { idOfUuid } from '../../../../spec/core/ids.ts'
import { sha256 } from '../../core/hash.ts'
import type { PlacedFrame } from './crashPlace.ts'

/** Computes the group of a crash. Its ID has the first 16 bytes of a SHA-256 of the app, the exception and the place, so no query is needed. */
export async function groupOfCrash(
  appId: string,
  exceptionType: string,
  place: readonly PlacedFrame[],
): Promise<CrashGroupPlace> {
  // Formats write the signal in different ways, or omit it: `EXC_BREAKPOINT (SIGTRAP)`.
  const type = /^[^\s(]+/.exec(exceptionType)?.[0] ?? exceptionType
  const identities = place.map(({ identity }) => identity)
  const hash = await sha256(JSON.stringify([appId, type, ...identities]))
  const frames = place.map(({ image, symbol, address }) => ({ image, symbol, address }))
  return { id: idOfUuid('crashGroup', hash.slice(0, 32)), exceptionType: type, frames }
}
