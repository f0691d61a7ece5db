const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

/** Returns `10 s`, `1.5 min`, `250 ms`: in the largest unit that is at most the value, with at most one decimal. */
export function formatDelay(ms: number): string {
  const [size, unit] = units.find(([size]) => ms >= size) ?? [1, 'ms']
  return `${Number((ms / size).toFixed(1))} ${unit}`
}
