/**
 * INCIDENT: an effect of the actor failed all its retries and waits for an operator. A region beside the lifecycle, with the
 * number of such effects in the context (`incidents`), from which the runtime derives the shown status.
 */
import type { EventObject } from 'xstate'
import { act } from './act.ts'
import type { MachineContext } from './define.ts'

export type IncidentEvent =
  | { type: 'effectFailed'; at: number; effectId: string; effect: string; problem: string }
  | { type: 'effectRecovered'; at: number; effectId: string }
  | { type: 'effectGivenUp'; at: number; effectId: string }

export interface WithIncidents extends MachineContext {
  readonly incidents: number
}

/** The actions `incidentOpened` (1) and `incidentClosed` (-1). */
export function countIncidents<C extends WithIncidents, E extends EventObject>(by: 1 | -1) {
  return act<C, E, E>(({ context }) => ({ set: { incidents: Math.max(0, context.incidents + by) } as Partial<C> }))
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
