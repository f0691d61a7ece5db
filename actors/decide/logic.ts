/**
 * A definition made ready to decide with. XState's pure `transition()` builds an inert actor scope at each call; here one is
 * built for each machine and used again, which makes a step about three times cheaper. And an XState snapshot is kept as two
 * parts: the context, which is the actor's own, and the configuration, which all actors in the same states share; so an actor at
 * rest costs little memory and the collector little work.
 */
import { createHash } from 'node:crypto'
import { type AnyActorScope, type AnyMachineSnapshot, type AnyStateMachine, createActor } from 'xstate'
import type { Definition, MachineContext, MachineInput, StateMeta } from '../../machines/framework/define.ts'
import type { ActorEvent, Json, MachineRef } from '../../spec/core/actor.ts'
import { type Place, placesOf, withMoves } from './forcedTransitions.ts'

/** A custom action or a delayed event, as XState hands them out instead of carrying them out. */
export interface PlannedAction {
  readonly type: string
  readonly params: unknown
}

/** A set of active states; one object for each machine and set. */
export interface Configuration {
  readonly value: Json
  readonly terminal: boolean
  /** Whether a lease or somebody's patience (`unbounded`) watches one of the states. */
  readonly watched: boolean
  /** How long states should take, milliseconds, by the state's ID. */
  readonly expected: ReadonlyMap<string, number>
  readonly states: ReadonlySet<string>
  /** The events that the states have transitions for, but for the runtime's own; sorted. */
  readonly acceptedEvents: readonly string[]
}

export interface MachineState {
  readonly configuration: Configuration
  readonly context: MachineContext
}

export interface Logic {
  readonly definition: Definition
  readonly machine: MachineRef
  /** The definition as it is kept under its hash: JSON. */
  readonly source: string
  first(input: MachineInput): readonly [MachineState, readonly PlannedAction[]]
  next(state: MachineState, event: ActorEvent): readonly [MachineState, readonly PlannedAction[]]
  accepts(state: MachineState, event: ActorEvent): boolean
  /** The states of the lifecycle into which an operator may put it. */
  readonly places: readonly Place[]
  /** @param event a move into one of the `places` */
  move(state: MachineState, event: ActorEvent): readonly [MachineState, readonly PlannedAction[]]
  /** @throws where the machine has no such states */
  restore(value: Json, context: MachineContext): MachineState
}

interface Interned extends Configuration {
  /** A snapshot of these states; only its context is anybody's own. */
  readonly template: AnyMachineSnapshot
}

const allServed: ReadonlySet<string> = new Set()

/** @param unserved effects that nobody carries out here: what a machine asks of them is passed over */
export function compile(definition: Definition, unserved = allServed): Logic {
  const { machine } = definition
  let planned: PlannedAction[] = []
  const plan = (action: PlannedAction): void => {
    if (!unserved.has(action.type)) planned.push(action)
  }
  const scope = inertScope(machine, plan)
  const places = placesOf(definition)
  // Acts are rare: the second chart is made when the first of them comes.
  let moving: { readonly machine: AnyStateMachine; readonly scope: AnyActorScope } | undefined
  const movable = () => {
    if (moving === undefined) {
      const chart = withMoves(machine, places)
      moving = { machine: chart, scope: inertScope(chart, plan) }
    }
    return moving
  }
  const source = describe(machine)
  // 132 bits name a definition well enough; the name stands in every journal row.
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
    places,
    move: ({ configuration, context }, event) => {
      planned = []
      const { machine: chart, scope: its } = movable()
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
  const events = nodes.flatMap(({ ownEvents }) => ownEvents.map(String)).filter((event) => !event.startsWith('xstate.'))
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

/** The chart as data: states, transitions, guards and actions by name. What can't be written (a function) stands by its name. */
function describe(machine: AnyStateMachine): string {
  return JSON.stringify(machine.config, (_key, value: unknown) => {
    if (typeof value !== 'function') return value
    const builtin = value as { readonly type?: unknown; readonly name: string }
    return { function: typeof builtin.type === 'string' ? builtin.type : builtin.name }
  })
}
