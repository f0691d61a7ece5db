/**
 * Forced transitions: an operator puts a lifecycle into a chosen state. They work as ordinary transitions: the old state is exited, and the
 * new one is entered with its actions and timers. XState takes transitions only from a chart. So a second chart is built, with one
 * transition into each state of the machine's `operatorStates`.
 */
import { type AnyStateMachine, createMachine } from 'xstate'
import type { StateMeta } from '../../machines/framework/define.ts'
import { forcedTransitionEvent } from '../../spec/operators/operatorAction.ts'
import type { ForcedTransitionTarget } from '../../spec/operators/operatorActionReader.ts'
import type { AnyDefinition } from '../anyKind.ts'

export function listForcedTransitionTargets({
  machine,
  operatorStates = [],
}: AnyDefinition): readonly ForcedTransitionTarget[] {
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
export function addForcedTransitions(
  machine: AnyStateMachine,
  targets: readonly ForcedTransitionTarget[],
): AnyStateMachine {
  const config = machine.config as ChartConfig
  const extend = (region: ChartConfig): ChartConfig => ({
    ...region,
    on: { ...region.on, [forcedTransitionEvent]: toTransitions(targets) },
  })
  const lifecycle = config.states?.lifecycle
  const whole =
    lifecycle === undefined ? extend(config) : { ...config, states: { ...config.states, lifecycle: extend(lifecycle) } }
  return createMachine(whole as never, machine.implementations as never)
}

interface ChartConfig {
  readonly on?: Readonly<Record<string, unknown>>
  readonly states?: Readonly<Record<string, ChartConfig>>
}

function toTransitions(targets: readonly ForcedTransitionTarget[]) {
  return targets.map(({ state }) => ({
    guard: ({ event }: { readonly event: { readonly to?: unknown } }) => event.to === state,
    target: `.${state}`,
  }))
}
