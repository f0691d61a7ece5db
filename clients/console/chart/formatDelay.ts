const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

/** Returns `10 s`, `1.25 min`, `250 ms`: in the largest unit that is at most the value. Two decimals if they are exact, else one. */
export function formatDelay(ms: number): string {
  const [size, unit] = units.find(([size]) => ms >= size) ?? [1, 'ms']
  const isExact = (ms * 100) % size === 0
  return `${Number((ms / size).toFixed(isExact ? 2 : 1))} ${unit}`
}
