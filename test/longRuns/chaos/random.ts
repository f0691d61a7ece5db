/** Reproducible randomness: all random choices of the chaos are derived from its seed. */
export interface Random {
  /** 0 to 1. */
  next(): number
  /** A whole number, both ends included. */
  whole(from: number, to: number): number
  pick<T>(list: readonly T[]): T | undefined
  /** One of the names, with a probability in proportion to its weight. */
  weighted<N extends string>(weights: Readonly<Record<N, number>>): N
  shuffle<T>(list: readonly T[]): T[]
  /** A separate source, so that the use of one consumer does not change the values of another. */
  fork(name: string): Random
}

/** mulberry32: small, and good enough to choose times. */
export function random(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    whole,
    pick: (list) => list[whole(0, list.length - 1)],
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights & string, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name as never
      }
      return entries.at(-1)?.[0] as never
    },
    shuffle(list) {
      const all = [...list]
      for (let at = all.length - 1; at > 0; at--) {
        const other = whole(0, at)
        const kept = all[at] as (typeof all)[number]
        all[at] = all[other] as (typeof all)[number]
        all[other] = kept
      }
      return all
    },
    fork: (name) => random([...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed)),
  }
}
