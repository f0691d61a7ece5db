/** Finds web addresses in a text. */

export interface TextPart {
  readonly text: string
  readonly isLink: boolean
}

const address = /https?:\/\/[^\s<>"'`\\^{}|]+/g
/** Characters that end a sentence and not the address before them. */
const trailing = /[.,;:!?)\]]+$/

export function splitLinks(text: string): readonly TextPart[] {
  if (!text.includes('://')) return [{ text, isLink: false }]
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: match, index } of text.matchAll(address)) {
    const link = match.replace(trailing, '')
    if (!URL.canParse(link)) continue
    if (index > from) parts.push({ text: text.slice(from, index), isLink: false })
    parts.push({ text: link, isLink: true })
    from = index + link.length
  }
  if (from < text.length) parts.push({ text: text.slice(from), isLink: false })
  return parts
}
