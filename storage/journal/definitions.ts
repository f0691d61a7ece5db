import type { Definitions, KeptDefinition } from '../../actors/ports/definitions.ts'
import type { StoredActor } from '../../actors/ports/journal.ts'
import type { MachineRef } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { actorTable } from '../database/partitions.ts'
import { numberArray, type Sql, textArray } from '../sql/sql.ts'
import type { PostgresJournal } from './journal.ts'

/** Stores every definition that was ever used, and finds the actors whose definition is not the current one. */
export class PostgresDefinitions implements Definitions {
  readonly #sql: Sql
  readonly #journal: PostgresJournal

  constructor(sql: Sql, journal: PostgresJournal) {
    this.#sql = sql
    this.#journal = journal
  }

  async keep(definitions: readonly KeptDefinition[]): Promise<void> {
    const kinds = textArray(definitions.map(({ kind }) => kind))
    const hashes = textArray(definitions.map(({ machine }) => machine.hash))
    const versions = numberArray(definitions.map(({ machine }) => machine.version))
    const texts = textArray(definitions.map(({ definition }) => definition))
    await this.#sql`
      insert into definition (kind, hash, version, definition, first_seen)
      select kind, hash, version, definition, (extract(epoch from clock_timestamp()) * 1000)::bigint
      from unnest(${kinds}::text[], ${hashes}::text[], ${versions}::integer[], ${texts}::text[]) d(kind, hash, version, definition)
      on conflict do nothing`
  }

  /** Read once, at start, through the index of actors that are not terminal. */
  async onOtherDefinitions(
    kind: ActorKind,
    machine: MachineRef,
    after: string | undefined,
    limit: number,
  ): Promise<readonly StoredActor[]> {
    const rows = await this.#sql.unsafe<{ id: string }[]>(
      `select id from ${actorTable(kind)}
      where kind = $1 and not terminal and (machine_hash <> $2 or machine_version <> $3) and id > $4
      order by id limit $5`,
      [kind, machine.hash, machine.version, after ?? '', limit],
      { prepare: true },
    )
    const found = await this.#journal.load(rows.map(({ id }) => ({ kind, id })))
    return rows.flatMap(({ id }) => found.get(id) ?? [])
  }
}
