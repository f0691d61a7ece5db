/** An iteration over the pushed items, in order, until it is returned. */
export class Queue<T> {
  private readonly items: T[] = []
  private wake: () => void = () => {}

  push(item: T): void {
    this.items.push(item)
    this.wake()
  }

  async *map<U>(change: (item: T) => U): AsyncGenerator<U> {
    for (;;) {
      const item = this.items.shift()
      if (item !== undefined) yield change(item)
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
    }
  }
}
