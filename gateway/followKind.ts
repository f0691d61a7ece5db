/** Follows every step of a kind from now on, in the order in which this process learns of them. */
import type { FeedItem } from '../actors/ports.ts'
import { Failure } from '../spec/failure.ts'
import type { ActorKind } from '../spec/ids.ts'
import type { FollowSink, FollowSources } from './follow.ts'
import { both, missed } from './following.ts'

/** Hints of other processes that wait to be read; more means that storage can't keep up. */
const mostWaiting = 10_000

export function followKind(kind: ActorKind, { views, feed }: FollowSources, sink: FollowSink): () => void {
  let stopped = false
  let waiting: FeedItem[] = []
  let reading = false

  const hear = (item: FeedItem): void => {
    if (stopped) return
    if (item.step && !reading) void sink.item({ type: 'step', step: item.step }, false)
    else {
      waiting.push(item)
      if (waiting.length > mostWaiting) fail(new Failure('UNAVAILABLE', 'Steps come faster than they can be read.'))
      else if (!reading) void readWaiting()
    }
  }
  const unlisten = both(
    feed.onKind(kind, hear),
    feed.onGap(() => stopped || fail(missed())),
  )

  function fail(error: unknown): void {
    stopped = true
    unlisten()
    sink.fail(error)
  }

  async function readWaiting(): Promise<void> {
    reading = true
    try {
      while (waiting.length > 0) {
        const items = waiting
        waiting = []
        for (const { ref, seq, step } of items) {
          const found = step ? [step] : await views.history({ id: ref.id, after: seq - 1, limit: 1 })
          for (const one of found) if (!stopped) void sink.item({ type: 'step', step: one }, false)
        }
      }
      reading = false
    } catch (error) {
      if (!stopped) fail(error)
    }
  }

  return () => {
    stopped = true
    unlisten()
  }
}
