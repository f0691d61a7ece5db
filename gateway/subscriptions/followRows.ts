/** Follows rows as they change: the current rows first, if requested, then each change once. */
import type { ActorRow } from '../../spec/core/actor.ts'
import type { Topic } from '../operations/handler.ts'
import type { TypedViews } from '../operations/typedViews.ts'
import type { FollowSink } from './following.ts'
import type { RowListener, RowListeners } from './rowListeners.ts'

type RowsTopic = Extract<Topic, { type: 'rows' }>

interface RowSources {
  readonly views: TypedViews
  readonly rows: RowListeners
}

const pageSize = 500

export function followRows(topic: RowsTopic, sources: RowSources, sink: FollowSink): () => void {
  const following = new RowFollowing(topic, sources, sink)
  return () => following.stop()
}

/** There is one for each agent, so parts that are rarely needed are created on demand. */
class RowFollowing implements RowListener {
  readonly #topic: RowsTopic
  readonly #sources: RowSources
  readonly #sink: FollowSink
  readonly #unlisten: () => void
  #stopped = false
  /** The last row was passed to the sink. */
  #ending = false
  /** While rows are being read: the changes since the read began, the latest of each actor. */
  #waiting: Map<string, ActorRow> | undefined
  /** The sequence of each row as first read. Removed when a later one is delivered. */
  #initial: Map<string, number> | undefined

  constructor(topic: RowsTopic, sources: RowSources, sink: FollowSink) {
    this.#topic = topic
    this.#sources = sources
    this.#sink = sink
    this.#unlisten = sources.rows.listen(topic.kind, topic.where, this)
    if (topic.initial !== 'none') void this.#begin()
  }

  changed(row: ActorRow): void {
    if (this.#stopped || this.#ending || row.kind !== this.#topic.kind) return
    if (this.#waiting === undefined) {
      this.#deliver(row)
      return
    }
    this.#waiting.delete(row.id)
    this.#waiting.set(row.id, row)
  }

  broken(error: unknown): void {
    if (this.#stopped) return
    this.stop()
    this.#sink.fail(error)
  }

  stop(): void {
    this.#stopped = true
    this.#unlisten()
  }

  #deliver(row: ActorRow): void {
    const known = this.#initial?.get(row.id)
    if (known !== undefined) {
      if (row.seq <= known) return
      this.#initial?.delete(row.id)
      if (this.#initial?.size === 0) this.#initial = undefined
    }
    if (!fits(row, this.#topic.where)) return
    const sent = this.#sink.item({ type: 'row', row }, false)
    if (this.#isLast(row)) void this.#endAfter(sent)
  }

  async #begin(): Promise<void> {
    const waiting = new Map<string, ActorRow>()
    this.#waiting = waiting
    try {
      await this.#readInitial()
      this.#waiting = undefined
      for (const row of waiting.values()) if (!this.#stopped) this.#deliver(row)
    } catch (error) {
      this.broken(error)
    }
  }

  async #readInitial(): Promise<void> {
    const { kind, where, initial } = this.#topic
    const { views } = this.#sources
    if (initial === 'living') {
      const agents = where.agentId === undefined ? [] : [where.agentId]
      for (const row of await views.living(kind, agents)) await this.#first(row)
      return
    }
    if (where.id !== undefined) {
      const row = await views.get(kind, where.id)
      if (row) await this.#first(row)
      return
    }
    let after: { readonly id: string } | undefined
    for (;;) {
      const rows = await views.list({ kind, where, limit: pageSize, ...(after ? { after } : {}) })
      for (const row of rows) await this.#first(row)
      after = rows.at(-1)
      if (this.#stopped || rows.length < pageSize) return
    }
  }

  async #first(row: ActorRow): Promise<void> {
    if (this.#stopped || !fits(row, this.#topic.where)) return
    this.#initial ??= new Map()
    this.#initial.set(row.id, row.seq)
    const sent = this.#sink.item({ type: 'row', row }, true)
    if (this.#isLast(row)) await this.#endAfter(sent)
    else await sent
  }

  #isLast({ columns }: ActorRow): boolean {
    return this.#topic.endsWithActor === true && this.#topic.where.id !== undefined && columns.terminal
  }

  async #endAfter(sent: void | Promise<void>): Promise<void> {
    // A later change of the same row would be a repeat.
    this.#ending = true
    await sent
    if (this.#stopped) return
    this.stop()
    this.#sink.end()
  }
}

function fits({ id, columns }: ActorRow, where: RowsTopic['where']): boolean {
  return (
    (where.id === undefined || where.id === id) &&
    (where.agentId === undefined || where.agentId === columns.agentId) &&
    (where.worktreeId === undefined || where.worktreeId === columns.worktreeId) &&
    (where.scopeId === undefined || where.scopeId === columns.scopeId)
  )
}
