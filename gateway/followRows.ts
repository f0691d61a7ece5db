/** Follows rows as they change: those that there are first, where they are wanted, then each change once. */
import type { FeedItem } from '../actors/ports.ts'
import type { ActorRow } from '../spec/actor.ts'
import type { Topic } from '../spec/operation.ts'
import type { FollowSink, FollowSources } from './follow.ts'
import { both, missed } from './following.ts'

type RowsTopic = Extract<Topic, { type: 'rows' }>

const pageSize = 500

export function followRows(topic: RowsTopic, { views, feed }: FollowSources, sink: FollowSink): () => void {
  const { kind, where } = topic
  let stopped = false
  let reading = true
  /** Changes that came while rows were read: the latest of each actor. */
  const waiting = new Map<string, FeedItem>()
  /** The sequence of each row as it was read at first; dropped when a later one is delivered. */
  const initial = new Map<string, number>()

  const hear = (item: FeedItem): void => {
    if (stopped || item.ref.kind !== kind) return
    if (item.row && !reading) deliver(item.row)
    else {
      waiting.delete(item.ref.id)
      waiting.set(item.ref.id, item)
      if (!reading) void read(false)
    }
  }
  const unlisten = both(
    where.id === undefined ? feed.onKind(kind, hear) : feed.onActor(where.id, hear),
    feed.onGap(() => {
      if (stopped) return
      stop()
      sink.fail(missed())
    }),
  )

  function deliver(row: ActorRow): void {
    const known = initial.get(row.id)
    if (known !== undefined) {
      if (row.seq <= known) return
      initial.delete(row.id)
    }
    if (fits(row, where)) void sink.item({ type: 'row', row }, false)
  }

  async function read(first: boolean): Promise<void> {
    reading = true
    try {
      if (first && topic.initial) await readInitial()
      while (waiting.size > 0 && !stopped) {
        const items = [...waiting.values()]
        waiting.clear()
        const unknown = items.filter((item) => !item.row).map((item) => item.ref.id)
        const rows = unknown.length > 0 ? await views.getMany(unknown) : undefined
        for (const item of items) {
          const row = item.row ?? rows?.get(item.ref.id)
          if (row && !stopped) deliver(row)
        }
      }
      reading = false
    } catch (error) {
      if (stopped) return
      stop()
      sink.fail(error)
    }
  }

  async function readInitial(): Promise<void> {
    if (where.id !== undefined) {
      const row = await views.get(where.id)
      if (row) await begin(row)
      return
    }
    let after: { readonly id: string } | undefined
    for (;;) {
      const rows = await views.list({ kind, where, limit: pageSize, ...(after ? { after } : {}) })
      for (const row of rows) await begin(row)
      after = rows.at(-1)
      if (stopped || rows.length < pageSize) return
    }
  }

  async function begin(row: ActorRow): Promise<void> {
    if (stopped || !fits(row, where)) return
    initial.set(row.id, row.seq)
    await sink.item({ type: 'row', row }, true)
  }

  function stop(): void {
    stopped = true
    unlisten()
  }

  void read(true)
  return stop
}

function fits({ id, columns }: ActorRow, where: RowsTopic['where']): boolean {
  return (
    (where.id === undefined || where.id === id) &&
    (where.agentId === undefined || where.agentId === columns.agentId) &&
    (where.worktreeId === undefined || where.worktreeId === columns.worktreeId) &&
    (where.scopeId === undefined || where.scopeId === columns.scopeId)
  )
}
