/** The values that the vertical axis of a chart names: round numbers, and round durations. */

/** The number of steps of an axis, at most. */
const stepsMax = 4

/** @param smallest the smallest step */
export function listDecimalTicks(largest: number, smallest: number): readonly number[] {
  const wanted = Math.max(largest / stepsMax, smallest)
  const power = 10 ** Math.floor(Math.log10(wanted) + 1e-9)
  const factor = [1, 2, 2.5, 5, 10].find(
    (each) => each * power >= wanted * (1 - 1e-9) && isStep(each * power, smallest),
  )
  return listSteps(largest, (factor ?? 10) * power)
}

function isStep(step: number, smallest: number): boolean {
  const count = step / smallest
  return Math.abs(count - Math.round(count)) < 1e-6
}

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]
const durationSteps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 5, 10, 20, 50, 100, 200].map((count) => count * day),
]

export function listDurationTicks(largest: number): readonly number[] {
  const step = durationSteps.find((each) => each >= largest / stepsMax)
  return listSteps(largest, step ?? Math.ceil(largest / stepsMax / day) * day)
}

/** Values are rounded, because a sum of tenths has an error: `0.30000000000000004`. */
function listSteps(largest: number, step: number): readonly number[] {
  const count = Math.max(1, Math.ceil(largest / step - 1e-9))
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}
