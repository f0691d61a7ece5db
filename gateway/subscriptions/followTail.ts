/**
 * Follows every item of a source: pages of stored items until the last, and then the tail. If the tail is ahead by then, the next page has
 * the items between. If it is behind, it skips those that were already read.
 */
import type { TopicItem } from '../operations/handler.ts'
import type { FollowSink } from './following.ts'
import type { Tails } from './tails.ts'

/** @param after undefined: from now on */
export function followTail<Key, Position>(
  key: Key,
  after: Position | undefined,
  tails: Tails<Key, Position>,
  sink: FollowSink,
): () => void {
  let stopped = false
  let leave = (): void => {}
  const listener = {
    item: (item: TopicItem) => void sink.item(item, false),
    fail(error: unknown): void {
      if (stopped) return
      stopped = true
      sink.fail(error)
    },
  }

  async function begin(): Promise<void> {
    let position: Position = after ?? (await tails.source.end())
    let caughtUp = after === undefined
    while (!stopped) {
      const joined = caughtUp ? tails.join(key, position, listener) : undefined
      if (joined) {
        leave = joined
        return
      }
      const page = await tails.source.read(key, position)
      for (const { item } of page.items) {
        if (stopped) return
        await sink.item(item, true)
      }
      position = page.position
      caughtUp = !page.more
    }
  }

  begin().catch(listener.fail)
  return () => {
    stopped = true
    leave()
  }
}
