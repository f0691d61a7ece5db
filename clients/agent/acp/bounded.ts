/** The maximum size of one event's data, in bytes of JSON. */
const largestEvent = 200 * 1024
/** The number of characters that are kept of a text that is too long. */
const shortened = 4 * 1024

/**
 * Returns the value unchanged, or with its long texts cut. If the cut value is still too large, it returns a note that the value was
 * omitted.
 */
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
