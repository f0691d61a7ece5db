/**
 * Forced transitions: an operator puts a lifecycle into a chosen state. They work as ordinary transitions: the old state is exited, and the
 * new one is entered with its actions and timers. XState takes transitions only from a chart. So a second chart is built, with one
 * transition into each of these states.
 */
import { type AnyStateMachine, createMachine } from 'xstate'
import type { Definition, StateMeta } from '../../machines/framework/define.ts'
import { moved } from '../../spec/operators/operatorAction.ts'

/** A state at the top of the lifecycle into which an operator may put the actor. `status` shows this state. */
export interface Place {
  readonly state: string
  readonly label: string
  readonly terminal: boolean
}

export function placesOf({ machine, operatorStates = [] }: Definition): readonly Place[] {
  const lifecycle = machine.root.states.lifecycle ?? machine.root
  return Object.values(lifecycle.states)
    .filter(({ key }) => operatorStates.includes(key))
    .map(({ key, meta, tags }) => ({
      state: key,
      label: (meta as StateMeta | undefined)?.label ?? key,
      terminal: tags.includes('terminal'),
    }))
}

/**
 * Returns the same chart with the forced transitions added to its lifecycle. Its states have the same names and IDs as in the original
 * chart.
 */
export function withMoves(machine: AnyStateMachine, places: readonly Place[]): AnyStateMachine {
  const config = machine.config as ChartConfig
  const hearing = (region: ChartConfig): ChartConfig => ({ ...region, on: { ...region.on, [moved]: into(places) } })
  const lifecycle = config.states?.lifecycle
  const whole =
    lifecycle === undefined
      ? hearing(config)
      : { ...config, states: { ...config.states, lifecycle: hearing(lifecycle) } }
  return createMachine(whole as never, machine.implementations as never)
}

interface ChartConfig {
  readonly on?: Readonly<Record<string, unknown>>
  readonly states?: Readonly<Record<string, ChartConfig>>
}

function into(places: readonly Place[]) {
  return places.map(({ state }) => ({
    guard: ({ event }: { readonly event: { readonly to?: unknown } }) => event.to === state,
    target: `.${state}`,
  }))
}
