import type { BlobEntry } from '../../ports/blobs.ts'
import { type Sql, textArray } from '../../sql/sql.ts'
import type { BlobPage, BlobPart, BlobParts, NamedPart } from './blobParts.ts'

interface PartRow {
  readonly start: string | number
  readonly size: string | number
  readonly object: string | null
}

const toPart = ({ start, size, object }: PartRow): BlobPart => ({ start: Number(start), size: Number(size), object })
const uniqueViolation = '23505'

export class PostgresBlobParts implements BlobParts {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async list(name: string): Promise<readonly BlobPart[]> {
    const rows = await this.#sql<PartRow[]>`
      select start, size, object from blob_part where name = ${name} order by start`
    return rows.map(toPart)
  }

  async last(name: string): Promise<BlobPart | undefined> {
    const [row] = await this.#sql<PartRow[]>`
      select start, size, object from blob_part where name = ${name} order by start desc limit 1`
    return row && toPart(row)
  }

  async writer(name: string): Promise<number> {
    const [row] = await this.#sql<{ writer: string }[]>`select writer from blob_writer where name = ${name}`
    return Number(row?.writer ?? 0)
  }

  /**
   * A change of an older writer that began before this statement was committed sees no row of the newer one, because the newer one writes
   * its rows later.
   */
  async fence(name: string, writer: number): Promise<void> {
    await this.#sql`
      insert into blob_writer (name, writer) values (${name}, ${writer})
      on conflict (name) do update set writer = greatest(blob_writer.writer, excluded.writer)`
  }

  /** Two parts at one place have the same key, so of two callers at once one is refused. */
  async add(name: string, { start, size, object }: BlobPart, writer: number): Promise<boolean> {
    try {
      const rows = await this.#sql`
        insert into blob_part (name, start, size, object, changed_at)
        select ${name}, ${start}, ${size}, ${object}, extract(epoch from clock_timestamp()) * 1000
        where ${start}::bigint = coalesce(
          (select p.start + p.size from blob_part p where p.name = ${name} order by p.start desc limit 1), 0)
          and not exists (select from blob_writer w where w.name = ${name} and w.writer > ${writer})
        returning true as added`
      return rows.length > 0
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === uniqueViolation) return false
      throw error
    }
  }

  async replace(name: string, from: BlobPart, to: BlobPart, writer: number): Promise<boolean> {
    const rows = await this.#sql`
      update blob_part p
      set size = ${to.size}, object = ${to.object}, changed_at = extract(epoch from clock_timestamp()) * 1000
      where p.name = ${name} and p.start = ${from.start} and p.size = ${from.size}
        and p.object is not distinct from ${from.object}
        and not exists (select from blob_part later where later.name = p.name and later.start > p.start)
        and not exists (select from blob_writer w where w.name = ${name} and w.writer > ${writer})
      returning true as replaced`
    return rows.length > 0
  }

  async truncate(name: string, size: number, writer: number): Promise<readonly string[]> {
    const rows = await this.#sql<{ object: string | null }[]>`
      with allowed as materialized (
        select from (select 1) one
        where not exists (select from blob_writer w where w.name = ${name} and w.writer > ${writer})
      ), shorter as (
        update blob_part set size = ${size} - start
        where name = ${name} and start < ${size} and start + size > ${size} and exists (select from allowed)
      )
      delete from blob_part
      where name = ${name} and (start >= ${size} and start > 0 or ${size}::bigint = 0) and exists (select from allowed)
      returning object`
    return objectsIn(rows)
  }

  async remove(name: string): Promise<readonly string[]> {
    const rows = await this.#sql<{ object: string | null }[]>`
      with writer as (delete from blob_writer where name = ${name})
      delete from blob_part where name = ${name} returning object`
    return objectsIn(rows)
  }

  async page({ folder, after, limit }: BlobPage): Promise<readonly BlobEntry[]> {
    // The character after the slash ends the range of the folder's names.
    const rows = await this.#sql<{ name: string; changed_at: string }[]>`
      select name, max(changed_at) as changed_at from blob_part
      where name > ${after ?? `${folder}/`} and name > ${`${folder}/`} and name < ${`${folder}0`}
        and position('/' in substr(name, ${folder.length + 2})) = 0
      group by name order by name limit ${limit}`
    return rows.map(({ name, changed_at }) => ({ name, changedAt: Number(changed_at) }))
  }

  async known(objects: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#sql<{ object: string }[]>`
      select object from blob_part where object = any(${textArray(objects)}::text[])`
    return new Set(rows.map(({ object }) => object))
  }

  async between(after: string, upTo: string | undefined, limit: number): Promise<readonly NamedPart[]> {
    const rows = await this.#sql<(PartRow & { readonly name: string })[]>`
      select name, start, size, object from blob_part
      where object is not null and object > ${after} and (${upTo ?? null}::text is null or object <= ${upTo ?? null}::text)
      order by object limit ${limit}`
    return rows.map((row) => ({ name: row.name, ...toPart(row) }))
  }
}

function objectsIn(rows: readonly { readonly object: string | null }[]): readonly string[] {
  return rows.flatMap(({ object }) => object ?? [])
}
