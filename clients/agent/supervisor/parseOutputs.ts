import { outputBytesMax, outputCharactersMax, outputNameForm, outputsMax } from '../../../spec/runs/outputs.ts'
import type { Concealer } from '../concealed.ts'
import { outputVariable } from '../system/environment.ts'

/** The outputs of a command cannot be used. The message names the line and the rule. */
export class BadOutput extends Error {
  override name = 'BadOutput'
}

interface Line {
  readonly text: string
  /** `\n` or `\r\n`. Empty at the end of the file. */
  readonly end: string
}

/**
 * Reads the outputs of a command: lines `name=value`, and values of several lines between `name<<DELIMITER` and `DELIMITER`. Empty lines
 * are skipped. A name that is written again has its last value. The secret is removed before anything else is read.
 * @throws BadOutput
 */
export function parseOutputs(bytes: Uint8Array, concealer: Concealer): Record<string, string> {
  if (bytes.length > outputBytesMax) {
    const line = bytes.subarray(0, outputBytesMax + 1).filter((byte) => byte === lineFeed).length + 1
    refuse(line, `the file has more than ${outputBytesMax} bytes. Write less.`)
  }
  const lines = readLines(bytes, concealer)
  // A map, because an assignment to `__proto__` of an object would be lost.
  const outputs = new Map<string, string>()
  for (let index = 0; index < lines.length; index++) {
    const { text } = lines[index] as Line
    if (text === '') continue
    const number = index + 1
    const { name, value, delimiter } = readBeginning(text, number)
    checkName(name, number)
    if (!outputs.has(name) && outputs.size === outputsMax)
      refuse(number, `a command can have at most ${outputsMax} outputs. Write fewer.`)
    const end = delimiter === undefined ? index : findLine(lines, delimiter, index + 1)
    if (end === -1)
      refuse(
        number,
        `the delimiter ${quote(delimiter ?? '')} of ${quote(name)} does not follow. Write it on a line of its own after the value.`,
      )
    const whole = value ?? joinLines(lines.slice(index + 1, end))
    if (whole.length > outputCharactersMax)
      refuse(
        number,
        `the value of ${quote(name)} has ${whole.length} characters. At most ${outputCharactersMax} are allowed.`,
      )
    outputs.set(name, whole)
    index = end
  }
  return Object.fromEntries(outputs)
}

const lineFeed = 10

function readLines(bytes: Uint8Array, concealer: Concealer): Line[] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const lines: Line[] = []
  for (let from = 0; from < bytes.length; ) {
    const at = bytes.indexOf(lineFeed, from)
    const until = at === -1 ? bytes.length : at
    const number = lines.length + 1
    const text = concealer.text(decode(decoder, bytes.subarray(from, until), number))
    if (text.includes('\0')) refuse(number, 'it has a zero byte. Encode binary values, for example as Base64.')
    const isWindows = at !== -1 && text.endsWith('\r')
    lines.push({ text: isWindows ? text.slice(0, -1) : text, end: at === -1 ? '' : isWindows ? '\r\n' : '\n' })
    from = until + 1
  }
  const first = lines[0]
  // Some shells begin a file with a byte order mark.
  if (first?.text.startsWith('\ufeff')) lines[0] = { ...first, text: first.text.slice(1) }
  return lines
}

function decode(decoder: TextDecoder, bytes: Uint8Array, number: number): string {
  try {
    return decoder.decode(bytes)
  } catch {
    return refuse(number, 'it is not UTF-8. Encode binary values, for example as Base64.')
  }
}

interface Beginning {
  readonly name: string
  /** Undefined if the value has several lines. */
  readonly value?: string
  readonly delimiter?: string
}

/** The first of `=` and `<<` decides. */
function readBeginning(text: string, number: number): Beginning {
  const [, name = '', sign, rest = ''] = /^(.*?)(=|<<)(.*)$/s.exec(text) ?? []
  if (sign === '=') return { name, value: rest }
  if (sign === undefined) refuse(number, `${quote(text)} is neither name=value nor name<<DELIMITER.`)
  if (rest === '') refuse(number, `${quote(text)} has no delimiter. Write name<<DELIMITER.`)
  return { name, delimiter: rest }
}

function findLine(lines: readonly Line[], text: string, from: number): number {
  let index = from
  while (index < lines.length && lines[index]?.text !== text) index++
  return index === lines.length ? -1 : index
}

function checkName(name: string, number: number): void {
  if (name === '__proto__') refuse(number, `the name ${quote(name)} is reserved. Use another name.`)
  if (outputNameForm.test(name)) return
  const form = 'begins with a letter or "_" and has at most 50 letters, digits, "_" and "-"'
  refuse(number, `the name ${quote(name)} is not allowed. A name ${form}.`)
}

/** Without the end of the last line, which belongs to the delimiter. */
function joinLines(lines: readonly Line[]): string {
  return lines.map(({ text, end }, index) => (index === lines.length - 1 ? text : text + end)).join('')
}

/** Characters of the file that a message can have. */
const quotedMax = 60

function quote(text: string): string {
  return JSON.stringify(text.length > quotedMax ? `${text.slice(0, quotedMax)}…` : text)
}

function refuse(line: number, rule: string): never {
  throw new BadOutput(`${outputVariable}, line ${line}: ${rule}`)
}
