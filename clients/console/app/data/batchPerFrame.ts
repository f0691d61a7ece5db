/** Collects items and passes them on once a frame, so that many updates cause one render. */
export interface FrameBatch<Item> {
  add(item: Item): void
  /** Passes on the collected items at once. */
  flush(): void
}

export function batchPerFrame<Item>(onBatch: (items: readonly Item[]) => void): FrameBatch<Item> {
  let items: Item[] = []
  let frame = 0
  const flush = () => {
    cancelAnimationFrame(frame)
    frame = 0
    const batch = items
    items = []
    if (batch.length > 0) onBatch(batch)
  }
  return {
    add(item) {
      items.push(item)
      if (frame === 0) frame = requestAnimationFrame(flush)
    },
    flush,
  }
}
