const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** Returns a duration in its largest unit: `3 d`, `48 min`. */
export function formatRoughDuration(ms: number): string {
  return formatDuration(ms).split(' ', 2).join(' ')
}

/** Returns a duration in at most two units: `3 d 4 h`, `12 s`, `40 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`
  const first = units.findIndex(([, unit]) => ms >= unit)
  const [name, unit] = units[first] ?? units[3]
  const second = units[first + 1]
  const whole = Math.floor(ms / unit)
  const rest = second === undefined || whole >= 10 ? 0 : Math.floor((ms % unit) / second[1])
  return rest > 0 && second !== undefined ? `${whole} ${name} ${rest} ${second[0]}` : `${whole} ${name}`
}
