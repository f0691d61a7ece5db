/** More names have no age, so they stay until others are gone. */
const mostNames = 100_000

/** When sweeps of this process have first seen each name, in all sweeps since. So a name has no age after a start of the process. */
export class FirstSeen {
  #former = new Map<string, number>()
  #present = new Map<string, number>()

  /** A name that is not seen between two calls is new when it is seen again. */
  beginSweep(): void {
    this.#former = this.#present
    this.#present = new Map()
  }

  /** Milliseconds since a sweep saw the name first. @param now milliseconds since 1970 */
  ageOf(name: string, now: number): number {
    const first = this.#former.get(name) ?? now
    if (this.#present.size < mostNames) this.#present.set(name, first)
    return now - first
  }
}
