/**
 * Compiles a definition into a form that makes decisions cheap.
 * - XState's pure `transition()` builds an inert actor scope at each call. Here one scope is built for each machine and used again. That
 *   makes a transition about three times cheaper.
 * - An XState snapshot is stored as two parts: the context, which belongs to one actor, and the configuration, which all actors in the
 *   same states share. So an idle actor needs little memory, and the garbage collector has little work.
 */
import { createHash } from 'node:crypto'
import { type AnyActorScope, type AnyMachineSnapshot, type AnyStateMachine, createActor } from 'xstate'
import type { MachineContext, MachineInput, StateMeta } from '../../machines/framework/define.ts'
import type { ActorEvent, Json, MachineRef } from '../../spec/core/actor.ts'
import type { ForcedTransitionTarget } from '../../spec/operators/operatorActionReader.ts'
import type { AnyDefinition } from '../anyKind.ts'
import { addForcedTransitions, listForcedTransitionTargets } from './forcedTransitions.ts'

/** A custom action or a delayed event. XState returns it and does not execute it. */
export interface PlannedAction {
  readonly type: string
  readonly params: unknown
}

/** A set of active states. There is one object for each machine and set. */
export interface Configuration {
  readonly value: Json
  readonly terminal: boolean
  /** Whether one of the states has a lease, or waits on purpose without a deadline (`unbounded`). */
  readonly watched: boolean
  /** How long a state should take in milliseconds, by the state's ID. */
  readonly expected: ReadonlyMap<string, number>
  readonly states: ReadonlySet<string>
  /** The events for which the states have transitions, sorted. The runtime's own events are left out. */
  readonly acceptedEvents: readonly string[]
}

export interface MachineState {
  readonly configuration: Configuration
  readonly context: MachineContext
}

export interface Logic {
  readonly definition: AnyDefinition
  readonly machine: MachineRef
  /** The definition as JSON. It is stored under its hash. */
  readonly source: string
  first(input: MachineInput): readonly [MachineState, readonly PlannedAction[]]
  next(state: MachineState, event: ActorEvent): readonly [MachineState, readonly PlannedAction[]]
  accepts(state: MachineState, event: ActorEvent): boolean
  kindOfId(id: string): string | undefined
  readonly forcedTransitionTargets: readonly ForcedTransitionTarget[]
  /** @param event a forced transition into one of the targets */
  forceTransition(state: MachineState, event: ActorEvent): readonly [MachineState, readonly PlannedAction[]]
  /** @throws if the machine does not have these states */
  restore(value: Json, context: MachineContext): MachineState
}

interface Interned extends Configuration {
  /** A snapshot of these states. Only the context is specific to an actor. */
  readonly template: AnyMachineSnapshot
}

/** The event by which an actor of an earlier version is migrated. A machine may have a transition for it. */
export const migratedEvent = 'migrated'

/** Whether only the runtime sends the event. */
export const isOwnEvent = (event: string): boolean => event.startsWith('xstate.') || event === migratedEvent

const noEffects: ReadonlySet<string> = new Set()

export interface CompileOptions {
  /** Effects that no handler delivers in this installation. If a machine requests one of them, the request is ignored. */
  readonly unserved?: ReadonlySet<string> | undefined
  /** The kind of an ID, by which the IDs of operator actions are checked. */
  kindOfId?(id: string): string | undefined
}

export function compile(
  definition: AnyDefinition,
  { unserved = noEffects, kindOfId = () => undefined }: CompileOptions = {},
): Logic {
  const { machine } = definition
  let planned: PlannedAction[] = []
  const plan = (action: PlannedAction): void => {
    if (!unserved.has(action.type)) planned.push(action)
  }
  const scope = inertScope(machine, plan)
  const forcedTransitionTargets = listForcedTransitionTargets(definition)
  // Forced transitions are rare, so the second chart is built at the first one.
  let extended: { readonly machine: AnyStateMachine; readonly scope: AnyActorScope } | undefined
  const withForcedTransitions = () => {
    if (extended === undefined) {
      const chart = addForcedTransitions(machine, forcedTransitionTargets)
      extended = { machine: chart, scope: inertScope(chart, plan) }
    }
    return extended
  }
  const source = describe(machine)
  // 132 bits are enough to identify a definition. Every journal row has the name, so it is short.
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 22)
  const interned = new Map<string, Interned>()

  const stateOf = (snapshot: AnyMachineSnapshot): MachineState => {
    const key = typeof snapshot.value === 'string' ? snapshot.value : JSON.stringify(snapshot.value)
    let configuration = interned.get(key)
    if (configuration === undefined) {
      configuration = configurationOf(snapshot)
      interned.set(key, configuration)
    }
    return { configuration, context: snapshot.context as MachineContext }
  }
  const snapshotOf = ({ configuration, context }: MachineState): AnyMachineSnapshot => ({
    ...(configuration as Interned).template,
    context,
  })
  const restore = (value: Json, context: MachineContext): MachineState =>
    stateOf(machine.resolveState({ value: value as never, context }))
  const planning = (snapshot: AnyMachineSnapshot): readonly [MachineState, readonly PlannedAction[]] => {
    if (snapshot.status === 'error') throw snapshot.error
    return [stateOf(snapshot), planned]
  }
  return Object.freeze<Logic>({
    definition,
    machine: Object.freeze({ version: definition.version, hash }),
    source,
    first: (input) => {
      planned = []
      return planning(machine.getInitialSnapshot(scope, input))
    },
    next: (state, event) => {
      planned = []
      return planning(machine.transition(snapshotOf(state), event, scope))
    },
    accepts: (state, event) => machine.getTransitionData(snapshotOf(state), event).length > 0,
    kindOfId,
    forcedTransitionTargets,
    forceTransition: ({ configuration, context }, event) => {
      planned = []
      const { machine: chart, scope: its } = withForcedTransitions()
      const before = chart.resolveState({ value: configuration.value as never, context })
      const { status, error, value, context: after } = chart.transition(before, event, its)
      if (status === 'error') throw error
      return [restore(value as Json, after as MachineContext), planned]
    },
    restore,
  })
}

function configurationOf(snapshot: AnyMachineSnapshot): Interned {
  const nodes = snapshot._nodes
  const metas = nodes.map(({ id, meta }) => ({ id, ...(meta as StateMeta | undefined) }))
  const events = nodes.flatMap(({ ownEvents }) => ownEvents.map(String)).filter((event) => !isOwnEvent(event))
  return {
    value: snapshot.value as Json,
    terminal: snapshot.hasTag('terminal'),
    watched: metas.some(({ lease, unbounded }) => lease !== undefined || unbounded !== undefined),
    expected: new Map(metas.flatMap(({ id, expected }) => (expected === undefined ? [] : [[id, expected]]))),
    states: new Set(nodes.map(({ id }) => id)),
    acceptedEvents: [...new Set(events)].sort(),
    template: { ...snapshot, context: undefined },
  }
}

function inertScope(machine: AnyStateMachine, onAction: (action: PlannedAction) => void): AnyActorScope {
  const self = createActor(machine)
  return {
    self,
    id: '',
    sessionId: '',
    system: self.system,
    logger: () => {},
    defer: () => {},
    emit: () => {},
    stopChild: () => {},
    actionExecutor: (action) => onAction(action as PlannedAction),
  }
}

/**
 * The chart as data: states, transitions, and the names of guards and actions. A function cannot be written as JSON and is replaced by its
 * name.
 */
function describe(machine: AnyStateMachine): string {
  return JSON.stringify(machine.config, (_key, value: unknown) => {
    if (typeof value !== 'function') return value
    const builtin = value as { readonly type?: unknown; readonly name: string }
    return { function: typeof builtin.type === 'string' ? builtin.type : builtin.name }
  })
}
