/** The measurement of a run, as its machine derives it from a state. */
import type { RunMeasurement } from '../../spec/runs/runMeasurement.ts'
import type { Logic, MachineState } from './logic.ts'

/** The measurement after a transition. Undefined if the transition did not change it, the kind has none, or the run has not started. */
export function measurementChange(
  { definition }: Logic,
  before: MachineState | undefined,
  after: MachineState,
): RunMeasurement | undefined {
  const { measure } = definition
  if (measure === undefined) return undefined
  const measurement = measure({ value: after.configuration.value, context: after.context })
  if (measurement === undefined || before === undefined) return measurement
  const old = measure({ value: before.configuration.value, context: before.context })
  return old !== undefined && JSON.stringify(old) === JSON.stringify(measurement) ? undefined : measurement
}
