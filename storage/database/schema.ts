import type { Sql } from '../sql/sql.ts'

/** Partitions for a month, such as `journal_2026_11`. They are not part of the schema. */
const madeByTime = '_[0-9]{4}_[0-9]{2}$'

/**
 * The schema as text, from the system catalog: extensions, and tables with columns, partitions, constraints, indexes and storage
 * parameters. PostgreSQL 15 and 18 give the same text: names that the server generates are left out, and so is the
 * constraint as which 18 stores `not null`.
 */
export async function dumpSchema(sql: Sql): Promise<string> {
  const tables = await sql<
    { oid: number; name: string; partitionKey: string | null; partition: string | null; options: string | null }[]
  >`
    select c.oid::integer as oid, c.relname as name, pg_get_partkeydef(c.oid) as "partitionKey", array_to_string(c.reloptions, ', ') as options,
      p.relname || ' ' || pg_get_expr(c.relpartbound, c.oid) as partition
    from pg_class c
      left join pg_inherits i on i.inhrelid = c.oid
      left join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname !~ ${madeByTime}
    order by c.relname collate "C"`
  const columns = await sql<{ table: number; text: string }[]>`
    select a.attrelid::integer as table,
      a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || case when a.attcollation <> t.typcollation then ' collate "' || l.collname || '"' else '' end
        || case when a.attnotnull then ' not null' else '' end
        || coalesce(
          case a.attgenerated
            when 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
            else ' default ' || pg_get_expr(d.adbin, d.adrelid)
          end, '') as text
    from pg_attribute a
      join pg_type t on t.oid = a.atttypid
      left join pg_collation l on l.oid = a.attcollation
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attnum > 0 and not a.attisdropped
    order by a.attnum`
  const constraints = await sql<{ table: number; text: string }[]>`
    select conrelid::integer as table, conname || ' ' || pg_get_constraintdef(oid) as text
    from pg_constraint where contype in ('p', 'u', 'f', 'c', 'x') order by conname collate "C"`
  const indexes = await sql<{ table: number; text: string }[]>`
    select i.indrelid::integer as table, pg_get_indexdef(i.indexrelid) as text
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisprimary and not exists (select from pg_inherits h where h.inhrelid = i.indexrelid)
    order by c.relname collate "C"`

  const extensions = await sql<{ name: string }[]>`
    select extname as name from pg_extension where extname <> 'plpgsql' order by extname collate "C"`

  const textsOf = (rows: readonly { table: number; text: string }[], oid: number): readonly string[] =>
    rows.filter(({ table }) => table === oid).map(({ text }) => text)
  const blocks = tables.map(({ oid, name, partitionKey, partition, options }) => {
    // The columns of a partition, and the indexes that it has of its parent, are listed with the parent.
    const own = partition === null ? textsOf(columns, oid) : []
    const lines = [...own, ...textsOf(constraints, oid)].map((line) => `  ${line}`).join(',\n')
    return [
      `create table ${name}${partition === null ? '' : ` partition of ${partition}`} (\n${lines}\n)`,
      ...(partitionKey === null ? [] : [` partition by ${partitionKey.toLowerCase()}`]),
      ...(options === null ? [] : [` with (${options})`]),
      ';\n',
      ...textsOf(indexes, oid).map((text) => `${text};\n`),
    ].join('')
  })
  const extensionLines = extensions.map(({ name }) => `create extension ${name};\n\n`).join('')
  return `-- Written by \`node storage/database/dumpSchema.ts\` from the catalog of a migrated database; a test compares it.\n\n${extensionLines}${blocks.join('\n')}`
}
