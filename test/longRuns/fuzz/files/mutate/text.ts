/** Changes of the lines and words of a text. */
import type { Random } from '../../../soak/random.ts'
import { hostileJsonNumber, hostileText } from './hostile.ts'

type TextChange = (text: string, random: Random, other: string) => string

const mostCharacters = 512 * 1024

function changeLines(
  change: (lines: string[], at: number, random: Random, other: readonly string[]) => void,
): TextChange {
  return (text, random, other) => {
    const lines = text.split('\n')
    change(lines, random.below(lines.length), random, other.split('\n'))
    return lines.join('\n')
  }
}

/** Replaces one match of the expression. */
function changeMatch(expression: RegExp, by: (match: string, random: Random, text: string) => string): TextChange {
  return (text, random) => {
    const matches = [...text.matchAll(expression)]
    if (matches.length === 0) return text
    const match = random.pick(matches)
    return text.slice(0, match.index) + by(match[0], random, text) + text.slice(match.index + match[0].length)
  }
}

const changes: readonly TextChange[] = [
  changeLines((lines, at) => lines.splice(at, 1)),
  changeLines((lines, at, random) => {
    const line = lines[at] ?? ''
    const most = Math.floor(mostCharacters / (line.length + 1))
    lines.splice(at, 0, ...Array.from({ length: Math.min(most, random.pick([1, 2, 40, 1_000, 20_000])) }, () => line))
  }),
  changeLines((lines, at, random) => {
    const [from] = lines.splice(at, 1)
    lines.splice(random.below(lines.length + 1), 0, from ?? '')
  }),
  changeLines((lines, at, random, other) =>
    lines.splice(at, random.below(2), random.pick(other.length > 0 ? other : [''])),
  ),
  changeLines((lines, at, random, other) => {
    const from = random.below(other.length)
    lines.splice(at, 0, ...other.slice(from, from + random.between(1, 40)))
  }),
  changeLines((lines, at, random) => {
    const part = `${lines[at]}${random.pick([' ', 'a', '\t', ' 0x', '(', '<', ':', ' + 1'])}`
    lines[at] = part.repeat(Math.min(random.pick([2, 50, 4_000]), Math.floor(mostCharacters / part.length)))
  }),
  changeMatch(/\d+/g, (_, random) => hostileJsonNumber(random)),
  changeMatch(/0x[0-9a-f]+/gi, (_, random) =>
    random.pick(['0x0', '0xffffffffffffffff', '0x1ffffffffffffffff', '0x', '???']),
  ),
  changeMatch(/[^\s"<>:,]+/g, (_, random) => hostileText(random)),
  changeMatch(/[^\s"<>:,]+/g, (match, random) => match + hostileText(random)),
  changeMatch(/[^\s"<>:,]+/g, (match, random, text) => {
    const words = text.slice(0, 4_000).match(/[^\s"<>:,]+/g) ?? [match]
    return random.pick(words)
  }),
  changeMatch(/[\s"<>:,()[\]{}]/g, (match, random) =>
    random.pick(['', match + match, '\t', '\r', '\u00a0', '\u2028', ' ', '(', ')', '<', '>']),
  ),
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => text.replaceAll('\n', '\r'),
  (text, random) => random.pick(['\ufeff', ' ', '\n\n', '{', '\0']) + text,
  (text, random, other) => text.slice(0, random.below(text.length + 1)) + other.slice(random.below(other.length + 1)),
]

export function mutateText(text: string, random: Random, other: string): string {
  return random.pick(changes)(text, random, other).slice(0, mostCharacters)
}

/** Encodings that a sender may use by mistake. */
export function encodeText(text: string, random: Random): Buffer {
  if (random.chance(0.97)) return Buffer.from(text)
  return Buffer.from(text, random.pick(['latin1', 'utf16le']))
}
