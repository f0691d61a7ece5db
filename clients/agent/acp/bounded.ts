/** Bytes of JSON that one event's data may have. */
const largestEvent = 200 * 1024
/** Characters that are left of a text that is too long. */
const shortened = 4 * 1024

/** The value as it is, or with its long texts cut, or, if even that is too much, a note that it was left out. */
export function bounded(value: unknown): unknown {
  if (sizeOf(value) <= largestEvent) return value
  const cut = shorten(value)
  return sizeOf(cut) <= largestEvent ? cut : { omitted: true, bytes: sizeOf(value) }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string' && value.length > shortened) {
    return `${value.slice(0, shortened)}… (${value.length - shortened} characters left out)`
  }
  if (Array.isArray(value)) return value.map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner)]))
}
