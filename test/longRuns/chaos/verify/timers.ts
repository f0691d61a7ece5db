/** Timers fire when they are due, and no agent that was connected is declared lost. */
import type { Checker } from './evidence.ts'

/** The runtime looks for due timers every second, and needs more time after a fault. */
const lateMs = 8_000

export const timersFire: Checker = async ({ sql }) => {
  const rows = await sql<{ id: string; status: string; late: number }[]>`
    select id, status, (extract(epoch from clock_timestamp()) * 1000)::bigint - due.at as late
    from actor cross join lateral (
      select min((timer ->> 'due')::bigint) as at from json_array_elements((snapshot::json) -> 'timers') timer
    ) due
    where not terminal and due.at < (extract(epoch from clock_timestamp()) * 1000)::bigint - ${lateMs}::bigint`
  return rows.map(({ id, status, late }) => `${id} is ${status}, and its timer is ${late} ms late`)
}

export const agentsAreKept: Checker = async ({ sql }) => {
  const rows = await sql<{ actor: string; event: string; at: number }[]>`
    select actor, event, at from journal
    where kind in ('agent', 'job') and status = 'LOST' and event in ('lost', 'leaseExpired')`
  return rows.map(
    ({ actor, event }) => `${actor} became LOST by "${event}", although its agent was never disconnected for long`,
  )
}
