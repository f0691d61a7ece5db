/** The number of requests of a run, and how often each handler must be reached as each kind of caller. Each follows from the other. */

/** Most requests reach one handler, and these are distributed evenly. The rest are invalid, or of callers without access. */
const reachingShare = 0.6
const usualReach = 100

/** @param cells the number of pairs of an operation and a kind of caller with access. It grows with the contract */
export function sizeOf(
  cells: number,
  given: { readonly requests?: string | undefined; readonly reach?: string | undefined },
): { readonly requests: number; readonly reach: number } {
  if (given.requests === undefined) {
    const reach = Number(given.reach ?? usualReach)
    return { reach, requests: Math.ceil((reach * cells) / reachingShare / 1_000) * 1_000 }
  }
  const requests = Number(given.requests)
  const reachable = Math.floor((requests * reachingShare) / cells)
  return { requests, reach: given.reach === undefined ? Math.min(usualReach, reachable) : Number(given.reach) }
}
