/** The journal has the effect of each acknowledged mutation exactly once, and no trace of a refused one. */
import type { Checker, Evidence } from './evidence.ts'

export const mutationsStand: Checker = async (evidence) => {
  const { pattern } = evidence.requests
  return [...(await saves(evidence, pattern)), ...(await creations(evidence, pattern))]
}

async function saves({ requests, sql }: Evidence, pattern: string): Promise<string[]> {
  const rows = await sql<{ actor: string; seq: number; token: string }[]>`
    select actor, seq, substring(detail from ${pattern}) as token from journal
    where kind = 'workflow' and event = 'saveDraft' order by actor, seq`
  const byToken = new Map<string, { actor: string; seq: number }[]>()
  for (const { token, ...row } of rows) byToken.set(token, [...(byToken.get(token) ?? []), row])
  return requests.all.flatMap(({ surface, token, outcome, actor, code }) => {
    if (surface !== 'save') return []
    const found = byToken.get(token) ?? []
    const where = found.map((row) => `${row.actor} ${row.seq}`).join(', ')
    const about = `the save ${token} of ${actor}, sent once`
    if (found.length > 1) return [`${about} and ${outcome}, is stored ${found.length} times: ${where}`]
    if (found.some((row) => row.actor !== actor)) return [`${about}, is stored in another actor: ${where}`]
    if (outcome === 'acknowledged' && found.length === 0) return [`${about} and acknowledged, is not in the journal`]
    if (outcome !== 'refused') return []
    const trace = found.length === 0 ? 'left no trace' : `is stored: ${where}`
    return [`${about}, was refused with ${code} although it is valid, and ${trace}`]
  })
}

async function creations({ requests, sql }: Evidence, pattern: string): Promise<string[]> {
  const actors = await sql<{ id: string; token: string }[]>`
    select id, substring(init from ${pattern}) as token from actor where kind = 'workflow'`
  const steps = await sql<{ actor: string; n: number }[]>`
    select actor, count(*)::integer as n from journal where kind = 'workflow' and seq = 1 group by actor`
  const firstSteps = new Map(steps.map(({ actor, n }) => [actor, n]))
  const byToken = new Map<string, string[]>()
  for (const { id, token } of actors) byToken.set(token, [...(byToken.get(token) ?? []), id])
  const found = requests.all.flatMap(({ surface, token, outcome, actor, code }) => {
    const ids = byToken.get(token) ?? []
    if (surface === 'refused') {
      const trace = ids.length === 0 ? [] : [`the refused creation ${token} left ${ids.join(', ')}`]
      if (outcome === 'refused' && code !== 'CONFLICT')
        trace.push(`the creation ${token} with a used key was refused with ${code}`)
      return outcome === 'acknowledged' ? [...trace, `a key that was used was accepted again: ${token}`] : trace
    }
    if (surface !== 'create') return []
    if (ids.length > 1) return [`the creation ${token} created ${ids.length} actors with one key: ${ids.join(', ')}`]
    if (outcome === 'refused') return [`the creation ${token} was refused with ${code} although it is valid`]
    if (outcome !== 'acknowledged') return []
    if (ids[0] === actor) return []
    return [`the creation ${token} was acknowledged as ${actor}, and ${ids.join(', ') || 'nothing'} is stored`]
  })
  const wrong = actors.filter(({ id }) => firstSteps.get(id) !== 1)
  return [...found, ...wrong.map(({ id }) => `${id} has ${firstSteps.get(id) ?? 0} first transitions in the journal`)]
}
