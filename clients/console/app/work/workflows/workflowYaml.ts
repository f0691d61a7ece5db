/** The definition of a workflow as YAML. The parser is loaded when the user chooses the text. */
import * as v from 'valibot'
import { isMap, isNode, isSeq, LineCounter, parseDocument, stringify } from 'yaml'
import { definitionFields } from '../../../../../spec/work/workflows/definition.ts'
import { ApiError } from '../../data/apiError.ts'
import { format, messages } from '../../messages.ts'
import type { WorkflowInput } from './workflowInput.ts'

const texts = messages.workflows.yaml

export function toYaml(input: WorkflowInput): string {
  return stringify(input, { lineWidth: 0 })
}

/** @throws ApiError with the line and the field of the first problem */
export function parseYaml(text: string): WorkflowInput {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [syntaxError] = document.errors
  // The rest of its message is an excerpt of the text.
  if (syntaxError)
    throw refuse(lines.linePos(syntaxError.pos[0]).line, syntaxError.message.split(/ at line |:?\n/)[0] ?? '')
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  const result = v.safeParse(v.object(definitionFields), value)
  if (!result.success) {
    const [issue] = result.issues
    throw refuseField(text, v.getDotPath(issue) ?? '', issue.message)
  }
  const unknown = findUnknownField(value, result.output)
  if (unknown !== undefined) throw refuseField(text, unknown, texts.unknownField)
  return value as WorkflowInput
}

/** Converts a refusal of the server, which names the field, to one that names the line too. */
export function locateError(text: string, error: ApiError): ApiError {
  if (error.field === '') return error
  const problem = error.problem === '' ? error.message.replace(`${error.field}: `, '') : error.problem
  return refuseField(text, error.field, problem)
}

function refuseField(text: string, field: string, problem: string): ApiError {
  return refuse(findLine(text, field), field === '' ? problem : `${field}: ${problem}`)
}

function refuse(line: number, problem: string): ApiError {
  return new ApiError('BAD_USER_INPUT', format(texts.problem, { line, problem }), { field: 'yaml' })
}

/** Returns the line of the deepest part of a field that the text has. The first line is 1. */
function findLine(text: string, field: string): number {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  let node: unknown = document.contents
  let offset = 0
  for (const segment of field.split('.')) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(key) === segment)
      if (pair === undefined) break
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(segment)]
      if (isNode(node)) offset = node.range?.[0] ?? offset
    } else break
  }
  return lines.linePos(offset).line
}

/** Returns the path of a field that the schema does not have: `known` is without it. */
function findUnknownField(given: unknown, known: unknown): string | undefined {
  if (!isObject(given) || !isObject(known)) return undefined
  for (const [name, value] of Object.entries(given)) {
    if (!(name in known)) return name
    const inner = findUnknownField(value, known[name])
    if (inner !== undefined) return `${name}.${inner}`
  }
  return undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
