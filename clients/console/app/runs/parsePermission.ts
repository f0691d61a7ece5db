/** Reads a permission request: the parts of an ACP tool call that a person needs for the decision. */
import { type EnumValue, graphql, type ResultOf } from '../data/graphql.ts'

export interface FileDiff {
  readonly path: string
  readonly lines: readonly DiffLine[]
}

export interface DiffLine {
  readonly type: 'SAME' | 'REMOVED' | 'ADDED'
  readonly text: string
}

export interface Permission {
  /** The kind of the tool: `EXECUTE`, `EDIT`, `DELETE` … */
  readonly kind: EnumValue<'ToolCallKind'> | null
  readonly command: string
  readonly paths: readonly string[]
  readonly diffs: readonly FileDiff[]
  /** Other text of the tool call. */
  readonly texts: readonly string[]
  /** The rest of the tool's input, as JSON. */
  readonly input: string
  /** The number of files and changes that the API left out. */
  readonly omitted: number
}

export const questionFragment = graphql(`fragment QuestionFields on RunQuestion { title options { optionId name }
  toolCall { kind locations { path } locationCount content { type text path oldText newText } contentCount rawInput }
}`)

/** A question of a run. */
export type Question = ResultOf<typeof questionFragment>

export type ToolCallContent = NonNullable<Question['toolCall']>['content'][number]

/** @returns undefined if the question has no tool call */
export function parsePermission({ toolCall }: Pick<Question, 'toolCall'>): Permission | undefined {
  if (toolCall === null) return undefined
  const { kind, rawInput, content, contentCount, locations, locationCount } = toolCall
  const { command, cmd, ...input } = asRecord(rawInput)
  const diffs = parseDiffs(content)
  const diffPaths = new Set(diffs.map(({ path }) => path))
  return {
    kind,
    command: formatCommand(command ?? cmd) || asText(rawInput),
    paths: locations.map(({ path }) => path).filter((path) => !diffPaths.has(path)),
    diffs,
    texts: content.flatMap(({ text }) => text ?? []),
    input: Object.keys(input).length === 0 ? '' : JSON.stringify(input, null, 2),
    omitted: locationCount - locations.length + contentCount - content.length,
  }
}

/** The changes of files in the content of a tool call. */
export function parseDiffs(content: readonly ToolCallContent[]): readonly FileDiff[] {
  return content.filter(({ type }) => type === 'DIFF').map(parseDiff)
}

/** A program with its arguments, or one line for a shell. */
function formatCommand(command: unknown): string {
  if (!Array.isArray(command)) return asText(command)
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(String(word)) ? String(word) : JSON.stringify(String(word))))
    .join(' ')
}

function parseDiff({ path, oldText, newText }: ToolCallContent): FileDiff {
  return { path: path ?? '', lines: diffLines(splitLines(oldText ?? ''), splitLines(newText ?? '')) }
}

/** The number of unchanged lines that are shown around a change. */
const contextLines = 3

/** The lines between the common beginning and the common end count as replaced. */
function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const maxEnd = Math.min(before.length, after.length) - start
  while (end < maxEnd && before.at(-1 - end) === after.at(-1 - end)) end++
  const lines = (type: DiffLine['type'], texts: readonly string[]) => texts.map((text) => ({ type, text }))
  const tail = before.length - end
  return [
    ...lines('SAME', before.slice(Math.max(0, start - contextLines), start)),
    ...lines('REMOVED', before.slice(start, tail)),
    ...lines('ADDED', after.slice(start, after.length - end)),
    ...lines('SAME', before.slice(tail, tail + contextLines)),
  ]
}

function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
