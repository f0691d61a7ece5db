/** Pseudo-random choices that are the same for the same seed. */
import { seeded } from '../bench/support/load.ts'

export class Random {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = seeded(seed)
  }

  chance(share: number): boolean {
    return this.#next() < share
  }

  /** From 0, below `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end)
  }

  between(from: number, to: number): number {
    return from + this.below(to - from + 1)
  }

  pick<T>(from: readonly T[]): T {
    const one = from[this.below(from.length)]
    if (one === undefined) throw new Error('nothing to pick from')
    return one
  }

  bytes(count: number): Buffer {
    return Buffer.from(Uint8Array.from({ length: count }, () => this.below(256)))
  }

  /** Text that often causes errors in programs: quotes, surrogates, control characters, other scripts, very long text. */
  text(): string {
    const length = this.pick([0, 1, 3, 10, 10, 40, 300])
    return Array.from({ length }, () => this.pick(characters)).join('')
  }
}

const characters = [
  'a',
  'B',
  '7',
  '_',
  '"',
  "'",
  '\\',
  '$',
  '{',
  '}',
  '\n',
  '\0',
  '\u202e',
  'é',
  '漢',
  '😀',
  '\ud800',
  ' ',
]
