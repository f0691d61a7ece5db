/**
 * Follows every transition of a kind: pages of stored transitions until the last, and then the kind's tail. If the tail is ahead by
 * then, the next page has the transitions between. If it is behind, it skips those that were already read.
 */

import type { Topic, TopicItem } from '../operations/handler.ts'
import type { TypedViews } from '../operations/typedViews.ts'
import type { FollowSink } from './following.ts'
import { kindPage } from './kindPage.ts'
import type { KindTails } from './kindTails.ts'

export function followKind(
  { kind, after }: Extract<Topic, { type: 'kind' }>,
  { views, tails }: { readonly views: TypedViews; readonly tails: KindTails },
  sink: FollowSink,
): () => void {
  let stopped = false
  let leave = (): void => {}
  const listener = {
    transition: (item: TopicItem) => void sink.item(item, false),
    fail(error: unknown): void {
      if (stopped) return
      stopped = true
      sink.fail(error)
    },
  }

  async function begin(): Promise<void> {
    let position = after ?? (await views.historyEnd())
    let caughtUp = after === undefined
    while (!stopped) {
      const joined = caughtUp ? tails.join(kind, position, listener) : undefined
      if (joined) {
        leave = joined
        return
      }
      const page = await kindPage(views, kind, position)
      for (const one of page.transitions) {
        if (stopped) return
        await sink.item({ type: 'transition', ...one }, true)
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
