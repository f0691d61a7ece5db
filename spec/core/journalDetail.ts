/**
 * The format of a transition's details in its journal row: JSON without empty parts, since most transitions set no timer, request
 * no effect and have no payload. The journal has hundreds of millions of rows.
 */
import type { JournalEntry } from './actor.ts'

type Detail = Omit<JournalEntry, 'kind' | 'id' | 'seq' | 'at' | 'event' | 'status'>

export function encodeJournalDetail(entry: JournalEntry<string>): string {
  const { payload, from, to, change, timers, effects, cause, principal, requestId, machine } = entry
  return JSON.stringify({
    payload: isEmpty(payload) ? undefined : payload,
    from,
    to,
    change: isEmpty(change) ? undefined : change,
    timers: timers.set.length + timers.canceled.length === 0 ? undefined : timers,
    effects: effects.length === 0 ? undefined : effects,
    cause,
    principal,
    requestId,
    machine,
  })
}

export function decodeJournalDetail(text: string): Detail {
  const { payload, change, timers, effects, ...rest } = JSON.parse(text) as Partial<Detail> & Detail
  return {
    ...rest,
    payload: payload ?? {},
    change: change ?? {},
    timers: timers ?? { set: [], canceled: [] },
    effects: effects ?? [],
  }
}

function isEmpty(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  for (const _key in value) return false
  return true
}
