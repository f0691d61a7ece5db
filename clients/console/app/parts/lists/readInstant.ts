/** Returns a time of the address as RFC 3339. Null if there is none, or if it is no time. */
export function readInstant(value: string | undefined): string | null {
  const ms = Date.parse(value ?? '')
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
