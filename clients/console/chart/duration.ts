const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

/** `10 s`, `1.5 min`, `250 ms`: the largest unit that is not below one, with one decimal at most. */
export function duration(ms: number): string {
  const [size, unit] = units.find(([size]) => ms >= size) ?? [1, 'ms']
  return `${Number((ms / size).toFixed(1))} ${unit}`
}
