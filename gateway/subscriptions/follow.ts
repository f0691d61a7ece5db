/**
 * Follows a topic: stored items first, then live items, without a gap or a repeat. The feed listener is added before anything is
 * read. A feed item is delivered only if it continues what was delivered. Otherwise the items are read from storage.
 */
import type { JournalEntry } from '../../spec/core/actor.ts'
import { Failure } from '../../spec/core/failure.ts'
import type { Feed } from '../../storage/ports/feed.ts'
import type { Topic } from '../operations/handler.ts'
import type { TypedViews } from '../operations/typedViews.ts'
import { both, type FollowSink } from './following.ts'
import { followRows } from './followRows.ts'
import { followSequence, type Sequenced, type SequencedItem } from './followSequence.ts'
import { followTail } from './followTail.ts'
import type { KindTails } from './kindTails.ts'
import type { RowListeners } from './rowListeners.ts'
import type { TelemetryTails } from './telemetryTails.ts'
import type { Watches } from './watches.ts'

export interface FollowSources {
  readonly views: TypedViews
  readonly feed: Feed
  readonly rows: RowListeners
  readonly tails: KindTails
  readonly telemetry: TelemetryTails
  readonly watches: Watches
}

/** Returns a function that stops following. After it was called, nothing is delivered. */
export function follow(topic: Topic, sources: FollowSources, sink: FollowSink): () => void {
  switch (topic.type) {
    case 'stream':
      return followSequence(streamOf(topic, sources), sink)
    case 'transitions':
      return followSequence(transitionsOf(topic, sources), sink)
    case 'kind':
      return followTail(topic.kind, topic.after, sources.tails, sink)
    case 'telemetry':
      return followTail(topic.kind, topic.after, sources.telemetry, sink)
    case 'rows':
      return followRows(topic, sources, sink)
    case 'watched':
      return sources.watches.follow(topic, sink)
  }
}

const pageSize = 500

function historyGone(after: number, first: number): Failure {
  return new Failure(
    'HISTORY_GONE',
    `What follows ${after} is not kept any more; the first that is kept is ${first}.`,
    {
      details: { first },
    },
  )
}

function streamOf({ name, after }: Extract<Topic, { type: 'stream' }>, { views, feed }: FollowSources): Sequenced {
  return {
    start: async () => after,
    listen: (receive) =>
      both(
        feed.onStream(name, ({ entries, ended }) =>
          receive(
            entries?.map((entry) => ({ sequence: entry.sequence, item: { type: 'entry', entry } })),
            ended,
          ),
        ),
        feed.onGap(() => receive(undefined, false)),
      ),
    read: async (from) => {
      const page = await views.stream(name, { after: from, limit: pageSize })
      // -1 requests the items that are stored. Any other position requests exactly the items after it.
      if (from >= 0 && from + 1 < page.first) throw historyGone(from, page.first)
      const items = page.entries.map((entry) => ({ sequence: entry.sequence, item: { type: 'entry', entry } as const }))
      // No item although the stream has had some: they are not kept any more, and the next one follows them.
      const last = items.at(-1)?.sequence ?? Math.max(from, page.next - 1)
      const ended = page.ended && last + 1 >= page.next
      // A position beyond the end of a finished stream gets the stream's last entry, END.
      if (ended && from >= page.next) return { items: await lastOf(name, page.next, views), last, more: false, ended }
      return { items, last, more: last + 1 < page.next, ended }
    },
    mayBeginLater: after < 0,
  }
}

async function lastOf(name: string, next: number, views: TypedViews): Promise<readonly SequencedItem[]> {
  const { entries } = await views.stream(name, { after: next - 2, limit: 1 })
  return entries.map((entry) => ({ sequence: entry.sequence, item: { type: 'entry', entry } as const }))
}

/** A page of transitions. `last` is the sequence of the last one, or that of the actor if none of those up to it is kept. */
async function transitionsAfter(
  id: string,
  from: number,
  views: TypedViews,
): Promise<{ readonly transitions: readonly JournalEntry[]; readonly last: number }> {
  const query = { id, after: from, limit: pageSize }
  const transitions = await views.history(query)
  const last = transitions.at(-1)?.seq ?? (await views.find(id))?.seq ?? from
  if (transitions.length > 0 || last <= from) return { transitions, last: Math.max(last, from) }
  // Either they are not kept, or the actor has changed since its history was read.
  const later = await views.history(query)
  return { transitions: later, last: later.at(-1)?.seq ?? last }
}

function transitionsOf(
  { id, after }: Extract<Topic, { type: 'transitions' }>,
  { views, feed }: FollowSources,
): Sequenced {
  return {
    // Without a position, follow from the current state.
    start: async () => after ?? (await views.find(id))?.seq ?? -1,
    listen: (receive) =>
      both(
        feed.onActor(id, ({ transition }) =>
          receive(transition && [{ sequence: transition.seq, item: { type: 'transition', transition } }], false),
        ),
        feed.onGap(() => receive(undefined, false)),
      ),
    read: async (from) => {
      const { transitions, last } = await transitionsAfter(id, from, views)
      const first = transitions[0]?.seq ?? last + 1
      if (from > 0 && first > from + 1) throw historyGone(from, first)
      const items = transitions.map((transition) => ({
        sequence: transition.seq,
        item: { type: 'transition', transition } as const,
      }))
      return { items, last, more: items.length === pageSize, ended: false }
    },
    mayBeginLater: after === undefined || after <= 0,
  }
}
