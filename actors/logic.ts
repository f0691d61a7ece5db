/**
 * A definition made ready to decide with. XState's pure `transition()` builds an inert actor scope at each call; here one is
 * built for each machine and used again, which makes a step about three times cheaper.
 */
import { createHash } from 'node:crypto'
import { type AnyActorScope, type AnyMachineSnapshot, type AnyStateMachine, createActor } from 'xstate'
import type { Definition, MachineInput, StateMeta } from '../machines/define.ts'
import type { ActorEvent, Json, MachineRef } from '../spec/actor.ts'

/** A custom action or a delayed event, as XState hands them out instead of carrying them out. */
export interface PlannedAction {
  readonly type: string
  readonly params: unknown
}

export interface Logic {
  readonly definition: Definition
  readonly machine: MachineRef
  /** The definition as it is kept under its hash: JSON. */
  readonly source: string
  first(input: MachineInput): readonly [AnyMachineSnapshot, readonly PlannedAction[]]
  next(snapshot: AnyMachineSnapshot, event: ActorEvent): readonly [AnyMachineSnapshot, readonly PlannedAction[]]
  accepts(snapshot: AnyMachineSnapshot, event: ActorEvent): boolean
  /** The events that the present states have transitions for, but for the runtime's own; sorted. */
  acceptedEvents(snapshot: AnyMachineSnapshot): readonly string[]
  restore(value: Json, context: Readonly<Record<string, unknown>>): AnyMachineSnapshot
  /** The `meta` of each active state. */
  metas(snapshot: AnyMachineSnapshot): readonly StateMeta[]
}

export function compile(definition: Definition): Logic {
  const { machine } = definition
  let planned: PlannedAction[] = []
  const scope = inertScope(machine, (action) => planned.push(action))
  const source = describe(machine)
  const hash = createHash('sha256').update(source).digest('hex')

  const finish = (snapshot: AnyMachineSnapshot): readonly [AnyMachineSnapshot, readonly PlannedAction[]] => {
    const actions = planned
    planned = []
    if (snapshot.status === 'error') throw snapshot.error
    return [snapshot, actions]
  }
  return Object.freeze<Logic>({
    definition,
    machine: Object.freeze({ version: definition.version, hash }),
    source,
    first: (input) => {
      planned = []
      return finish(machine.getInitialSnapshot(scope, input))
    },
    next: (snapshot, event) => {
      planned = []
      return finish(machine.transition(snapshot, event, scope))
    },
    accepts: (snapshot, event) => machine.getTransitionData(snapshot, event).length > 0,
    acceptedEvents: (snapshot) => {
      const events = new Set<string>()
      for (const node of snapshot._nodes) {
        for (const event of node.ownEvents) if (!String(event).startsWith('xstate.')) events.add(String(event))
      }
      return [...events].sort()
    },
    restore: (value, context) => machine.resolveState({ value: value as never, context }),
    metas: (snapshot) => snapshot._nodes.flatMap((node) => (node.meta ? [node.meta as StateMeta] : [])),
  })
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
