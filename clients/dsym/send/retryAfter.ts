/**
 * Reads `Retry-After`, which is a number of seconds or a date (RFC 9110).
 * @returns milliseconds from now, at least 0, or undefined if there is no valid value
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  // Other texts than dates are dates for `Date.parse`, such as `-1`.
  if (!/^[A-Za-z]{3}/.test(text)) return undefined
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
