import type { Sql } from '../sql/sql.ts'
import type { Contents } from '../storage.ts'

const dayMs = 86_400_000
const pageSize = 16

/** One row for each piece, written once. */
export class PostgresContents implements Contents {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async keep(owner: string, number: number, data: Uint8Array, at: number): Promise<void> {
    await this.#sql`
      insert into content (owner, number, at, data)
      values (${owner}, ${number}, ${at}, decode(${Buffer.from(data).toString('base64')}, 'base64'))
      on conflict (owner, number) do nothing`
  }

  async *read(owner: string): AsyncIterable<Uint8Array> {
    for (let from = 0; ; from += pageSize) {
      const rows = await this.#sql<{ data: Uint8Array }[]>`
        select data from content where owner = ${owner} and number >= ${from} and number < ${from + pageSize}
        order by number`
      for (const { data } of rows) yield data
      if (rows.length < pageSize) return
    }
  }
}

/** A request that is cut off between its content and its actor leaves pieces that no actor refers to. */
export async function dropOrphanedContents(sql: Sql, now: number): Promise<void> {
  await sql`
    delete from content c using (
      select p.owner from content p
      where p.number = 0 and p.at >= ${now - 7 * dayMs} and p.at < ${now - dayMs}
        and not exists (select from actor a where a.id = p.owner)
    ) gone
    where c.owner = gone.owner`
}
