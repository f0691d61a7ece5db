import { Failure } from '../../spec/core/failure.ts'

/** Blobs that were written longer ago have no writer any more. */
const most = 10_000

/** The newest writer of each blob, as far as this process has fenced it. */
export class WriterFences {
  readonly #newest = new Map<string, number>()

  raise(name: string, writer: number): void {
    const newest = Math.max(writer, this.#newest.get(name) ?? 0)
    this.#newest.delete(name)
    this.#newest.set(name, newest)
    if (this.#newest.size <= most) return
    for (const oldest of this.#newest.keys()) {
      this.#newest.delete(oldest)
      return
    }
  }

  /** @throws Failure CONFLICT */
  require(name: string, writer: number): void {
    if (writer < (this.#newest.get(name) ?? 0)) throw newerWriter()
  }

  remove(name: string): void {
    this.#newest.delete(name)
  }
}

export function newerWriter(): Failure {
  return new Failure('CONFLICT', 'A newer request writes this file, so this one has ended.')
}
