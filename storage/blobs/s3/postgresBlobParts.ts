import type { BlobEntry, BlobPage } from '../../ports/blobs.ts'
import { type Sql, textArray } from '../../sql/sql.ts'
import type { BlobPart, BlobParts } from './blobParts.ts'

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

  /** Two parts at one place have the same key, so of two callers at once one is refused. */
  async add(name: string, { start, size, object }: BlobPart): Promise<boolean> {
    try {
      const rows = await this.#sql`
        insert into blob_part (name, start, size, object, changed_at)
        select ${name}, ${start}, ${size}, ${object}, extract(epoch from clock_timestamp()) * 1000
        where ${start}::bigint = coalesce(
          (select p.start + p.size from blob_part p where p.name = ${name} order by p.start desc limit 1), 0)
        returning true as added`
      return rows.length > 0
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === uniqueViolation) return false
      throw error
    }
  }

  async replace(name: string, from: BlobPart, to: BlobPart): Promise<boolean> {
    const rows = await this.#sql`
      update blob_part p
      set size = ${to.size}, object = ${to.object}, changed_at = extract(epoch from clock_timestamp()) * 1000
      where p.name = ${name} and p.start = ${from.start} and p.size = ${from.size}
        and p.object is not distinct from ${from.object}
        and not exists (select from blob_part later where later.name = p.name and later.start > p.start)
      returning true as replaced`
    return rows.length > 0
  }

  async truncate(name: string, size: number): Promise<readonly string[]> {
    const rows = await this.#sql<{ object: string | null }[]>`
      with shorter as (
        update blob_part set size = ${size} - start
        where name = ${name} and start < ${size} and start + size > ${size}
      )
      delete from blob_part where name = ${name} and start >= ${size} and start > 0 or name = ${name} and ${size} = 0
      returning object`
    return objectsIn(rows)
  }

  async remove(name: string): Promise<readonly string[]> {
    const rows = await this.#sql<{ object: string | null }[]>`
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
}

function objectsIn(rows: readonly { readonly object: string | null }[]): readonly string[] {
  return rows.flatMap(({ object }) => object ?? [])
}
