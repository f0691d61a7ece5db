/**
 * INCIDENT: an effect of the actor has exhausted its attempts and waits for an operator. It is a region beside the lifecycle. The
 * dispatcher (`actors/outbox/dispatcher.ts`) counts the attempts and sends `effectFailed` after the last. The context has the number of
 * such effects (`incidents`), from which the runtime derives the shown status.
 */
import type { EventObject } from 'xstate'
import type { News } from '../../spec/devices/news.ts'
import { notify } from '../devices/notify.ts'
import { act } from './act.ts'
import type { MachineContext } from './define.ts'
import { incidentMembers } from './incidentKeys.ts'
import type { Members } from './members.ts'

export type IncidentEvent =
  | { type: 'effectFailed'; at: number; effectId: string; effect: string; problem: string }
  | { type: 'effectRecovered'; at: number; effectId: string }
  | { type: 'effectGivenUp'; at: number; effectId: string }

export interface WithIncidents extends MachineContext {
  /** `incidentMembers`: one for each open incident. A failure that is reported twice counts once. */
  readonly members: Members
  readonly incidents: number
}

const keyOf = (event: { readonly type: string; readonly effectId?: unknown }): string =>
  incidentMembers.toKey(String(event.effectId))

/** The actions `incidentOpened` (1) and `incidentClosed` (-1). With `named`, users are notified of one that opens. */
export function countIncidents<C extends WithIncidents, E extends EventObject>(
  by: 1 | -1,
  named?: (context: C) => Omit<News, 'reason' | 'at'>,
) {
  return act<C, E, E>(({ context, event }) => {
    const { effect = true } = event as Partial<IncidentEvent & { type: 'effectFailed' }>
    const members = by === 1 ? context.members.with(keyOf(event), effect) : context.members.without(keyOf(event))
    const set = { incidents: Math.max(0, context.incidents + by), members } as Partial<C>
    const opened = named === undefined ? undefined : openingOf(event)
    if (opened === undefined || named === undefined) return { set }
    return { set, effects: [notify({ ...named(context), reason: 'INCIDENT', at: opened })] }
  })
}

/** When the incident opened. Undefined for a failed notification, because no notification is sent about it. */
function openingOf(event: { readonly type: string }): number | undefined {
  const { type, effect, at } = event as Partial<IncidentEvent & { type: 'effectFailed' }>
  return type === 'effectFailed' && effect !== 'notify' ? at : undefined
}

/** For the definition's `repeats`: the report of a failure that is already counted, or the end of one that is not counted. */
export function repeatsIncident({ members }: WithIncidents, event: { readonly type: string }): boolean {
  if (event.type === 'effectFailed') return members.has(keyOf(event))
  return (event.type === 'effectRecovered' || event.type === 'effectGivenUp') && !members.has(keyOf(event))
}

/** Whether the event reports that an operator gave up an effect of this type. */
export function isGivenUp({ members }: WithIncidents, event: { readonly type: string }, effect: string): boolean {
  return event.type === 'effectGivenUp' && members.get(keyOf(event)) === effect
}

/** The guard `lastIncident`. */
export function isLastIncident({ context }: { readonly context: WithIncidents }): boolean {
  return context.incidents <= 1
}

const over = [
  { guard: 'lastIncident', target: 'CLEAR', actions: 'incidentClosed' },
  { actions: 'incidentClosed' },
] as const

/** The region `incident` of a parallel machine. */
export const incidentRegion = {
  initial: 'CLEAR',
  states: {
    CLEAR: {
      meta: { label: 'No incident' },
      on: { effectFailed: { target: 'OPEN', actions: 'incidentOpened' } },
    },
    OPEN: {
      meta: {
        label: 'Incident',
        waitsFor: 'an operator to retry or give up the failed effect',
        unbounded: 'an operator decides',
      },
      on: {
        effectFailed: { actions: 'incidentOpened' },
        effectRecovered: over,
        effectGivenUp: over,
      },
    },
  },
} as const
