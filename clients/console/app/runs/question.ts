/** The subject of a permission request: the parts of an ACP tool call that a person needs for the decision. */

export interface Diff {
  readonly path: string
  readonly lines: readonly DiffLine[]
}

export interface DiffLine {
  readonly type: 'SAME' | 'REMOVED' | 'ADDED'
  readonly text: string
}

export interface Subject {
  /** The kind of the tool: `execute`, `edit`, `delete` … */
  readonly kind: string
  readonly command: string
  readonly paths: readonly string[]
  readonly diffs: readonly Diff[]
  /** Other text of the tool call. */
  readonly texts: readonly string[]
  /** The rest of the tool's input, as JSON. */
  readonly input: string
}

/** @returns undefined if the question has no tool call */
export function subjectOf(question: unknown): Subject | undefined {
  const { toolCall } = record(question)
  if (typeof toolCall !== 'object' || toolCall === null) return undefined
  const { kind, rawInput, content, locations } = record(toolCall)
  const { command, cmd, ...input } = record(rawInput)
  const contents = list(content).map(record)
  const diffs = contents.filter(({ type }) => type === 'diff').map(diffOf)
  const shown = new Set(diffs.map(({ path }) => path))
  return {
    kind: textOf(kind),
    command: commandOf(command ?? cmd) || (typeof rawInput === 'string' ? rawInput : ''),
    paths: list(locations)
      .flatMap((one) => textOf(record(one).path) || [])
      .filter((path) => !shown.has(path)),
    diffs,
    texts: contents.flatMap((one) => textOf(record(one.content).text) || []),
    input: Object.keys(input).length === 0 ? '' : JSON.stringify(input, null, 2),
  }
}

/** A program with its arguments, or one line for a shell. */
function commandOf(command: unknown): string {
  if (!Array.isArray(command)) return textOf(command)
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(String(word)) ? String(word) : JSON.stringify(String(word))))
    .join(' ')
}

function diffOf({ path, oldText, newText }: Readonly<Record<string, unknown>>): Diff {
  return { path: textOf(path), lines: changedLines(linesOf(oldText), linesOf(newText)) }
}

/** The number of unchanged lines that are shown around a change. */
const around = 3

/** The lines between the common beginning and the common end count as replaced. */
function changedLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++
  const lines = (type: DiffLine['type'], texts: readonly string[]) => texts.map((text) => ({ type, text }))
  const tail = before.length - end
  return [
    ...lines('SAME', before.slice(Math.max(0, start - around), start)),
    ...lines('REMOVED', before.slice(start, tail)),
    ...lines('ADDED', after.slice(start, after.length - end)),
    ...lines('SAME', before.slice(tail, tail + around)),
  ]
}

function linesOf(text: unknown): readonly string[] {
  const whole = textOf(text)
  return whole === '' ? [] : whole.replace(/\n$/, '').split('\n')
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
