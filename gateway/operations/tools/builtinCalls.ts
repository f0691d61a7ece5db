/** Carries out a built-in tool: the operation that it is, with the same checks as on every other surface. */
import type { Logger } from 'pino'
import type { System } from '../../../actors/messages.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { checkedInput } from '../../graphql/input.ts'
import { noteHandled } from '../../http/handled.ts'
import type { MessageContext } from '../requestContext.ts'
import { carryOut } from '../translate.ts'
import type { OperationTool } from './builtin.ts'
import { contained } from './contained.ts'
import type { ServedTool, ToolArguments, ToolResult } from './served.ts'
import { refuseUnknownFields } from './unknownFields.ts'

export interface BuiltinParts {
  readonly system: System
  readonly log: Logger
}

export function servedBuiltin(tool: OperationTool, parts: BuiltinParts): ServedTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool
  return {
    definition: { name, title, description, inputSchema, outputSchema, annotations },
    isQuick: !annotations.openWorldHint,
    call: async (given, { context }) => resultOf(await callOperation(tool, given, context, parts)),
  }
}

/** @returns the object that is the tool's result */
async function callOperation(
  { operation, wrapping, name }: OperationTool,
  given: ToolArguments,
  context: MessageContext,
  { system, log }: BuiltinParts,
): Promise<Readonly<Record<string, unknown>>> {
  refuseUnknownFields(operation.input, given)
  const input = checkedInput(operation.input, given)
  await contained(operation, input, context)
  noteHandled(log, operation.name, context)
  const answer =
    operation.kind === 'query'
      ? await operation.read(input as never, context)
      : await carryOut(operation, input, context, system)
  if (answer === null || answer === undefined) throw new Failure('NOT_FOUND', `${name} found nothing under that ID.`)
  const object = wrapping === 'none' ? answer : { [wrapping]: answer }
  return withoutTypeNames(object) as Readonly<Record<string, unknown>>
}

/** As an object for programs, and as its text for models that read nothing else. */
function resultOf(object: Readonly<Record<string, unknown>>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(object) }], structuredContent: object }
}

/** GraphQL's own field says nothing to a model. */
function withoutTypeNames(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(withoutTypeNames)
  const plain: Record<string, unknown> = {}
  for (const [key, own] of Object.entries(value)) if (key !== '__typename') plain[key] = withoutTypeNames(own)
  return plain
}
