/** The maximum size of a job's result that the control plane accepts, in characters of JSON. */
const resultMax = 64 * 1024

/** Shortens the text of a result to its end if the result is too long. A job whose result is rejected would never end. */
export function fitted(result: unknown): unknown {
  const size = JSON.stringify(result)?.length ?? 0
  if (size <= resultMax || typeof result !== 'object' || result === null || !('text' in result)) return result
  const { text, ...rest } = result
  if (typeof text !== 'string') return result
  const room = resultMax - JSON.stringify({ ...rest, text: '' }).length
  return { ...rest, text: ending(text, room) }
}

/** Returns the longest end of a text that has at most so many characters in JSON, without the quotation marks. */
function ending(text: string, room: number): string {
  let from = text.length
  for (let left = room; from > 0; ) {
    // Do not split a surrogate pair.
    const begin = from > 1 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(from - 2, from)) ? from - 2 : from - 1
    left -= JSON.stringify(text.slice(begin, from)).length - 2
    if (left < 0) break
    from = begin
  }
  return text.slice(from)
}
