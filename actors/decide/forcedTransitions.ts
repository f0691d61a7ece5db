/**
 * How an operator puts a lifecycle into a state of their choice: as a transition would, so that what is left is exited and what
 * is entered begins, with its actions and timers. XState takes transitions from a chart alone, so the chart is made a second time,
 * with one into each state.
 */
import { type AnyStateMachine, createMachine } from 'xstate'
import type { Definition, StateMeta } from '../../machines/framework/define.ts'
import { moved } from '../../spec/operators/operatorAct.ts'

/** A state at the top of the lifecycle, as `status` shows it, into which an operator may put it. */
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

/** The same chart, whose lifecycle hears of moves. Its states have the names and IDs that they have in the other. */
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
