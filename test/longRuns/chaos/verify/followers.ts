/** Subscribers receive every transition and every chunk once, in order, up to the stored end. */
import type { Checker, Evidence } from './evidence.ts'

export const followersGotAll: Checker = async (evidence) => {
  const problems: string[] = [...evidence.unnoticed]
  for (const { followed, instance, sequences } of evidence.followers) {
    const about = `the subscriber of ${followed.id} at process ${instance}`
    const first = followed.type === 'log' ? 0 : 1
    const wrong = sequences.findIndex((sequence, index) => sequence !== index + first)
    if (wrong !== -1) {
      problems.push(`${about} received ${sequences.slice(Math.max(0, wrong - 2), wrong + 2).join(', ')}`)
      continue
    }
    const stored = await lastStored(evidence, followed)
    const got = sequences.at(-1) ?? first - 1
    if (got < stored) problems.push(`${about} received everything up to ${got}, and ${stored} is stored`)
  }
  return problems
}

export async function lastStored(
  { sql }: Pick<Evidence, 'sql'>,
  { type, id }: Evidence['followers'][number]['followed'],
): Promise<number> {
  const [row] =
    type === 'actor'
      ? await sql<{ last: number }[]>`select seq::integer as last from actor where id = ${id}`
      : await sql<{ last: number }[]>`select (next - 1)::integer as last from stream where name like ${`log/${id}/%`}`
  return row?.last ?? 0
}
