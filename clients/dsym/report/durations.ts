/** How long the parts of an upload took, so that the reader of a log finds the slow one. */

const words = { zip: 'zipped', hash: 'hashed', send: 'sent', index: 'indexed by the server' } as const
export type UploadPart = keyof typeof words

export class Durations {
  readonly #ms = new Map<UploadPart, number>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** The time counts whether the work succeeds or not, and is added to that of earlier work of the same part. */
  async measure<T>(part: UploadPart, work: () => Promise<T>): Promise<T> {
    const start = this.#now()
    try {
      return await work()
    } finally {
      this.#ms.set(part, (this.#ms.get(part) ?? 0) + this.#now() - start)
    }
  }

  /** Such as `zipped in 3.10 s, hashed in 0.21 s`. Parts that were not necessary are left out. */
  describe(): string {
    return Object.entries(words)
      .flatMap(([part, word]) => {
        const ms = this.#ms.get(part as UploadPart)
        return ms === undefined ? [] : [`${word} in ${(ms / 1_000).toFixed(2)} s`]
      })
      .join(', ')
  }
}
