/**
 * Parses the property list of a device's answer: one dictionary of plain values. Anyone can send one, so only the forms of such
 * answers are accepted: no entities except XML's own, no nesting, no comments.
 */

/** The values as text, by their keys. */
export type Plist = ReadonlyMap<string, string>

const xml = /<\?xml [^<>]*\?>/y
const doctype = /<!DOCTYPE plist PUBLIC "[^"<>]*" "[^"<>]*">/y
const begin = /<plist(?: version="[^"<>]*")?>/y
const beginEntries = /<dict>/y
const key = /<key>([^<>]*)<\/key>/y
const value = /<(string|integer|real|date|data)>([^<>]*)<\/\1>|<(?:string|true|false)\/>/y
const endEntries = /<\/dict>/y
const end = /<\/plist>/y
const space = /[ \t\r\n]*/y

export function readPlist(bytes: Uint8Array): Plist | undefined {
  const text = decodeUtf8(bytes)
  if (text === undefined) return undefined
  let at = 0
  // Each pattern matches from the end of the last one, so that no text causes backtracking.
  const take = (pattern: RegExp): RegExpExecArray | null => {
    space.lastIndex = at
    space.test(text)
    pattern.lastIndex = space.lastIndex
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
  take(xml)
  take(doctype)
  if (!take(begin) || !take(beginEntries)) return undefined
  const entries = new Map<string, string>()
  for (let found = take(key); found; found = take(key)) {
    const name = decodeText(found[1] ?? '')
    const given = take(value)
    const content = given && decodeText(given[2] ?? '')
    if (name === undefined || content == null || entries.has(name)) return undefined
    entries.set(name, content)
  }
  const whole = take(endEntries) && take(end) && text.slice(at).trim() === ''
  return whole ? entries : undefined
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const reference = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));|&/g

/** Resolves XML's own references. Undefined if the text has another one, or one to an invalid character. */
function decodeText(text: string): string | undefined {
  let wrong = false
  const written = text.replace(reference, (_, name?: string, decimal?: string, hexadecimal?: string) => {
    if (name !== undefined) return named[name] ?? ''
    const point = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
    if (point > 0 && point <= 0x10ffff) return String.fromCodePoint(point)
    wrong = true
    return ''
  })
  return wrong ? undefined : written
}
