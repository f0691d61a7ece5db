/** Writes elements as text. Numbers are rounded, so that the same chart results in the same bytes on every machine. */

export type Attributes = Readonly<Record<string, string | number | undefined>>

export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const list = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? formatNumber(value) : escapeXml(value ?? '')}"`)
    .join('')
  const inner = children.join('')
  return inner === '' ? `<${name}${list}/>` : `<${name}${list}>${inner}</${name}>`
}

export function formatNumber(value: number): string {
  return String(Math.round(value * 10) / 10)
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeXml(text: string): string {
  return [...text]
    .filter(isAllowed)
    .join('')
    .replace(/[&<>"]/g, (char) => entities[char] ?? char)
}

/** Control characters and lone surrogates are not valid in XML, not even as entities. */
function isAllowed(char: string): boolean {
  const code = char.codePointAt(0) ?? 0
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff
}

/** Draws a text with its class. With `end` its end is at x, with `middle` its middle. */
export function drawText(x: number, y: number, content: string, className: string, anchor?: 'middle' | 'end'): string {
  return element('text', { x, y, class: className, 'text-anchor': anchor }, escapeXml(content))
}
