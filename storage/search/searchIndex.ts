import type { SearchDocument } from '../../actors/ports/journal.ts'
import type { SearchIndex } from '../../actors/ports/searchIndex.ts'
import type { ActorRef } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { actorTable } from '../database/partitions.ts'
import { textColumn, unframe } from '../journal/frame.ts'
import { numberArray, type Sql } from '../sql/sql.ts'
import { type DocumentRow, documentRow } from './documentRow.ts'

export class PostgresSearchIndex implements SearchIndex {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async isFilled(kind: ActorKind, version: number): Promise<boolean> {
    const rows = await this.#sql`select from search_filled where kind = ${kind} and version >= ${version}`
    return rows.length > 0
  }

  async missing(kind: ActorKind, version: number, after: string | undefined, limit: number): Promise<ActorRef[]> {
    const rows = await this.#sql.unsafe<{ id: string }[]>(
      `select a.id from ${actorTable(kind)} a
      where a.kind = $1 and a.id > $3
        and not exists (select from search_document d where d.actor = a.id and d.version >= $2::integer)
      order by a.id limit $4`,
      [kind, version, after ?? '', limit],
    )
    return rows.map(({ id }) => ({ kind, id }))
  }

  /** A document that a transition has written in the meantime is kept: it has this version already. */
  async fill(documents: readonly { readonly ref: ActorRef; readonly document: SearchDocument }[]): Promise<void> {
    if (documents.length === 0) return
    const sorted = [...documents].sort((a, b) => (a.ref.id < b.ref.id ? -1 : 1))
    const rows = sorted.map(({ ref, document }) => documentRow(ref.kind, document))
    const column = (of: (row: DocumentRow) => string | undefined) => textColumn('document', rows.map(of))
    await this.#sql.unsafe(fillSql, [
      textColumn(
        'actor',
        sorted.map(({ ref }) => ref.id),
      ),
      textColumn(
        'kind',
        sorted.map(({ ref }) => ref.kind),
      ),
      numberArray(rows.map(({ version }) => version)),
      column(({ title }) => title),
      column(({ body }) => body),
      column(({ titleKey }) => titleKey),
      column(({ words }) => words),
      column(({ listWords }) => listWords),
    ])
  }

  async setFilled(kind: ActorKind, version: number): Promise<void> {
    await this.#sql`
      insert into search_filled (kind, version) values (${kind}, ${version})
      on conflict (kind) do update set version = greatest(search_filled.version, excluded.version)`
  }
}

const fillSql = `
  insert into search_document (actor, kind, version, title, body, title_key, words, list_words)
  select x.actor, x.kind, x.version, x.title, x.body, x.title_key, x.words::tsvector, x.list_words::tsvector
  from unnest(${unframe('$1')}, ${unframe('$2')}, $3::integer[], ${unframe('$4')}, ${unframe('$5')}, ${unframe('$6')},
    ${unframe('$7')}, ${unframe('$8')}) x(actor, kind, version, title, body, title_key, words, list_words)
  where x.version is not null
  on conflict (actor) do update set (version, title, body, title_key, words, list_words) =
    row(excluded.version, excluded.title, excluded.body, excluded.title_key, excluded.words, excluded.list_words)
  where search_document.version < excluded.version`
