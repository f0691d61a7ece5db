/** The report for a person: figures, and for each violation the journal rows around it. */
import type { ChaosSeen } from './chaosRun.ts'
import { checkers } from './checkers/checkers.ts'
import type { Seen, SeenActor, Violation } from './seen.ts'

const shown = 8

/** By the name of the checker; empty if there are no violations. */
export function findings(seen: ChaosSeen): ReadonlyMap<string, readonly Violation[]> {
  const found = new Map<string, readonly Violation[]>()
  for (const [name, { check }] of Object.entries(checkers)) {
    const violations = check(seen)
    if (violations.length > 0) found.set(name, violations)
  }
  if (seen.misdeeds.length > 0)
    found.set(
      'program',
      seen.misdeeds.map((what) => ({ what, ids: [] })),
    )
  return found
}

export function summary(seen: ChaosSeen): string {
  const { asked, recoveries, lost, restAfter } = seen
  const count = (type: string) => asked.filter(({ answer }) => answer.type === type).length
  const transitions = [...seen.journal.values()].reduce((sum, list) => sum + list.length, 0)
  const rows: [string, string][] = [
    [
      'requests',
      `${count('accepted')} accepted, ${count('refused')} refused, ${count('unknown')} unknown; ${lost} answers lost`,
    ],
    ['runs', statusesOf(seen, 'run')],
    ['builds', statusesOf(seen, 'build')],
    ['lost', [...seen.actors.values()].flatMap(lostBecause).join(', ') || 'none'],
    ['transitions in the journal', String(transitions)],
    ['commands', `${seen.lines.filter(({ what }) => what === 'BEGIN').length} begun`],
    ['follow-ups', followUpCounts(seen)],
    ['workflow steps', stepCounts(seen)],
    ['recovery of the program', spread(recoveries.filter(({ what }) => what === 'program').map(({ ms }) => ms))],
    ['recovery of the database', spread(recoveries.filter(({ what }) => what === 'database').map(({ ms }) => ms))],
    ['rest', restAfter === undefined ? 'not found' : `after ${restAfter} ms`],
  ]
  return rows.map(([name, text]) => `${name.padEnd(25)} ${text}`).join('\n')
}

function statusesOf({ actors }: Seen, wanted: string): string {
  const statuses = new Map<string, number>()
  for (const { kind, status } of actors.values())
    if (kind === wanted) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  return [...statuses]
    .sort()
    .map(([status, count]) => `${count} ${status}`)
    .join(', ')
}

export function detailed(seen: ChaosSeen, found: ReadonlyMap<string, readonly Violation[]>): string {
  const parts = [...found].map(([name, violations]) => {
    const lines = violations.slice(0, shown).map((violation) => `  ${violation.what}\n${rowsAround(seen, violation)}`)
    const rest = violations.length > shown ? [`  and ${violations.length - shown} more`] : []
    return [`${name}: ${checkers[name]?.says ?? ''} — ${violations.length} violations`, ...lines, ...rest].join('\n')
  })
  return parts.join('\n\n')
}

function rowsAround({ journal, actors }: Seen, { ids }: Violation): string {
  return ids
    .filter((id) => id !== '')
    .slice(0, 3)
    .map((id) => {
      const rows = (journal.get(id) ?? []).slice(-12).map(({ seq, at, event, status, cause }) => {
        return `      ${String(seq).padStart(4)} ${new Date(at).toISOString()} ${event.padEnd(16)} ${status.padEnd(12)} ${cause.type} ${cause.id ?? ''}`
      })
      return [`    ${id} ${actors.get(id)?.status ?? '(unknown)'}`, ...rows].join('\n')
    })
    .join('\n')
}

function followUpCounts({ asked, actors }: ChaosSeen): string {
  const accepted = (operation: string) =>
    asked.filter((one) => one.operation === operation && one.answer.type === 'accepted')
  const ids = new Set(
    accepted('createRunFollowUp').flatMap(({ answer }) =>
      answer.type === 'accepted' ? [String(answer.object.id)] : [],
    ),
  )
  const runs = [...ids].filter((id) => actors.has(id)).length
  return `${ids.size} acknowledged, ${accepted('updateQueuedFollowUp').length} edits, ${accepted('withdrawQueuedFollowUp').length} withdrawals, ${runs} runs`
}

function stepCounts({ asked, actors }: ChaosSeen): string {
  const steps = [...actors.values()].filter(({ kind }) => kind === 'workflowStep')
  const byStatus = Map.groupBy(steps, ({ status }) => status)
  const statuses = [...byStatus].sort().map(([status, { length }]) => `${length} ${status}`)
  const count = (isCounted: (step: SeenActor) => boolean) => steps.filter(isCounted).length
  const repeated = count(({ context }) => Number(context.attempt) > 1)
  const reused = count(({ init }) => Object(init.begin).type === 'reuse')
  const decisions = asked.filter(
    ({ operation, answer }) => operation === 'decideApproval' && answer.type === 'accepted',
  )
  return `${statuses.join(', ')}; ${repeated} with several attempts, ${reused} reused, ${decisions.length} decisions acknowledged`
}

function spread(values: readonly number[]): string {
  if (values.length === 0) return 'none'
  const sorted = [...values].sort((a, b) => a - b)
  const median = sorted[sorted.length >> 1] ?? 0
  return `median ${Math.round(median)} ms, longest ${Math.round(sorted.at(-1) ?? 0)} ms, of ${values.length}`
}

function lostBecause({ kind, id, status, context }: SeenActor): string[] {
  if (kind !== 'run' || status !== 'LOST') return []
  return [`${id} ${(context.problem as { code?: string } | null)?.code ?? ''}`]
}
