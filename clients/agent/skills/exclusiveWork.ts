/** Work that must not overlap, by a key: each begins when the one before it has ended, also if that one failed. */
export class ExclusiveWork {
  private readonly last = new Map<string, Promise<void>>()

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const done = (this.last.get(key) ?? Promise.resolve()).then(work)
    const ended: Promise<void> = done
      .then(
        () => {},
        () => {},
      )
      .then(() => {
        if (this.last.get(key) === ended) this.last.delete(key)
      })
    this.last.set(key, ended)
    return done
  }
}
