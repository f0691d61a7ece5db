/** Characters of JSON that the control plane takes as a job's result. */
const resultMax = 64 * 1024

/** With the end of its text alone, where all of it would be too long: a job whose result is refused would never end. */
export function fitted(result: unknown): unknown {
  const size = JSON.stringify(result)?.length ?? 0
  if (size <= resultMax || typeof result !== 'object' || result === null || !('text' in result)) return result
  const { text, ...rest } = result
  if (typeof text !== 'string') return result
  const room = resultMax - JSON.stringify({ ...rest, text: '' }).length
  return { ...rest, text: ending(text, room) }
}

/** The longest end of a text that has at most so many characters as JSON, without its quotation marks. */
function ending(text: string, room: number): string {
  let from = text.length
  for (let left = room; from > 0; ) {
    // Half of a pair is no character.
    const begin = from > 1 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(from - 2, from)) ? from - 2 : from - 1
    left -= JSON.stringify(text.slice(begin, from)).length - 2
    if (left < 0) break
    from = begin
  }
  return text.slice(from)
}
