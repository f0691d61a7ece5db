import { fold, type Term } from './words.ts'

const excerptMax = 160

/** Returns the whole text, or the part around the first search term. */
export function excerptOf(body: string, terms: readonly Term[]): string | undefined {
  if (body.length <= excerptMax) return body === '' ? undefined : body
  const folded = fold(body)
  // Folding may change the length of the text. In that case the beginning is returned.
  const places = folded.length === body.length ? terms.map((term) => folded.indexOf(term[0]?.[0] ?? '')) : []
  const first = Math.max(0, Math.min(...places.filter((place) => place >= 0), Infinity))
  const from = first === Infinity ? 0 : Math.max(0, Math.min(first - 40, body.length - excerptMax))
  const part = body.slice(from, from + excerptMax).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${from > 0 ? '…' : ''}${part}${from + excerptMax < body.length ? '…' : ''}`
}
