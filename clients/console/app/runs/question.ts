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
  /** The kind of the tool: `EXECUTE`, `EDIT`, `DELETE` … */
  readonly kind: string
  readonly command: string
  readonly paths: readonly string[]
  readonly diffs: readonly Diff[]
  /** Other text of the tool call. */
  readonly texts: readonly string[]
  /** The rest of the tool's input, as JSON. */
  readonly input: string
  /** The number of files and changes that the API left out. */
  readonly omitted: number
}

/** A question of a run, as the API returns it. */
export interface Question {
  readonly title: string
  readonly toolCall: ToolCall | null
  readonly options: readonly { readonly optionId: string; readonly name: string }[]
}

interface ToolCall {
  readonly kind: string | null
  readonly locations: readonly { readonly path: string }[]
  readonly locationCount: number
  readonly content: readonly ToolCallContent[]
  readonly contentCount: number
  readonly rawInput: unknown
}

interface ToolCallContent {
  readonly type: 'TEXT' | 'DIFF' | 'OTHER'
  readonly text: string | null
  readonly path: string | null
  readonly oldText: string | null
  readonly newText: string | null
}

export const questionFields = `title options { optionId name }
  toolCall { kind locations { path } locationCount content { type text path oldText newText } contentCount rawInput }`

/** @returns undefined if the question has no tool call */
export function subjectOf({ toolCall }: Question): Subject | undefined {
  if (toolCall === null) return undefined
  const { kind, rawInput, content, contentCount, locations, locationCount } = toolCall
  const { command, cmd, ...input } = record(rawInput)
  const diffs = content.filter(({ type }) => type === 'DIFF').map(diffOf)
  const shown = new Set(diffs.map(({ path }) => path))
  return {
    kind: kind ?? '',
    command: commandOf(command ?? cmd) || (typeof rawInput === 'string' ? rawInput : ''),
    paths: locations.map(({ path }) => path).filter((path) => !shown.has(path)),
    diffs,
    texts: content.flatMap(({ text }) => text ?? []),
    input: Object.keys(input).length === 0 ? '' : JSON.stringify(input, null, 2),
    omitted: locationCount - locations.length + contentCount - content.length,
  }
}

/** A program with its arguments, or one line for a shell. */
function commandOf(command: unknown): string {
  if (!Array.isArray(command)) return textOf(command)
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(String(word)) ? String(word) : JSON.stringify(String(word))))
    .join(' ')
}

function diffOf({ path, oldText, newText }: ToolCallContent): Diff {
  return { path: path ?? '', lines: changedLines(linesOf(oldText ?? ''), linesOf(newText ?? '')) }
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

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
