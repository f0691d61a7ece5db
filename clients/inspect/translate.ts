/**
 * Converts the transitions of an actor to messages for Stately's inspector: the actor once, then for each transition its event and
 * the new snapshot.
 */
import type { OutputOf } from '../../spec/core/operation.ts'
import type { actorTransitioned } from '../../spec/operators/actors.ts'
import { type ActiveStates, findActivePaths } from '../console/chart/findActivePaths.ts'
import { type Chart, isWithin } from '../console/chart/model.ts'
import { parseChart } from '../console/chart/parseChart.ts'

const fields = ['sequence', 'at', 'event', 'payload', 'from', 'to', 'change', 'machineHash'] as const
export const transitionFields = fields.join(' ')

/** A transition as the API returns it. `from` is null before the first one. */
export type Transition = Readonly<Pick<OutputOf<typeof actorTransitioned>, (typeof fields)[number]>>

export interface Snapshot {
  readonly status: 'active' | 'done'
  readonly value: unknown
  readonly context: Readonly<Record<string, unknown>>
}

interface InspectedEvent {
  readonly type: string
  readonly [key: string]: unknown
}

/** One message to the inspector. */
export type InspectorMessage =
  | { readonly type: 'actor'; readonly at: string; readonly snapshot: Snapshot; readonly definition: string }
  | { readonly type: 'event'; readonly at: string; readonly event: InspectedEvent }
  | { readonly type: 'snapshot'; readonly at: string; readonly event: InspectedEvent; readonly snapshot: Snapshot }

/** The state of what was sent so far. */
export interface SentState {
  readonly sequence: number
  /** The changes of all transitions, merged. From the first transition on, this is the whole context. */
  readonly context: Readonly<Record<string, unknown>>
  readonly machine: { readonly hash: string; readonly chart: Chart } | undefined
}

export const nothingSent: SentState = { sequence: 0, context: {}, machine: undefined }

/** The definitions of machines by hash, as JSON. */
export type Definitions = ReadonlyMap<string, string>

/** Returns the messages for the next transition. A transition that was sent is skipped. */
export function translate(
  sent: SentState,
  transition: Transition,
  definitions: Definitions,
): { messages: readonly InspectorMessage[]; sent: SentState } {
  if (transition.sequence <= sent.sequence) return { messages: [], sent }
  const { at, from, to, machineHash: hash } = transition
  const definition = sent.machine?.hash === hash ? undefined : definitions.get(hash)
  const machine = definition === undefined ? sent.machine : { hash, chart: parseChart(definition) }
  const context = { ...sent.context, ...asRecord(transition.change) }
  const event: InspectedEvent = { ...asRecord(transition.payload), type: transition.event }
  const snapshot = { status: statusOf(machine?.chart, to), value: to, context }
  // An actor is created in its first state. If its beginning is missing, or its machine has changed, it is shown in the state before
  // the transition.
  const found: Snapshot = from === null ? snapshot : { status: 'active', value: from, context: sent.context }
  return {
    messages: [
      ...(definition === undefined ? [] : [{ type: 'actor', at, snapshot: found, definition } as const]),
      { type: 'event', at, event },
      { type: 'snapshot', at, event, snapshot },
    ],
    sent: { sequence: transition.sequence, context, machine },
  }
}

function statusOf(chart: Chart | undefined, value: unknown): 'active' | 'done' {
  const paths = findActivePaths(value as ActiveStates)
  const over = chart?.nodes.some(({ terminal, path }) => terminal && paths.some((one) => isWithin(one, path)))
  return over ? 'done' : 'active'
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
