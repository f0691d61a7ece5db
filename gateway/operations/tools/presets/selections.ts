import type * as v from 'valibot'
import { Failure, type FailureCode } from '../../../../spec/core/failure.ts'
import type { Discovery } from '../../../../spec/tools/external.ts'
import type { chosen } from '../../../../spec/tools/presets/selections.ts'
import type { ToolSelection } from '../../../../spec/tools/tool.ts'
import type { RequestContext } from '../../requestContext.ts'
import { findRepeated, selectionKey } from './preset.ts'
import { describeServer, discoverToolsOfServers } from './servers.ts'

export interface PresetToolsInput {
  readonly tools?: readonly v.InferOutput<typeof chosen>[] | null | undefined
  readonly toolNames?: readonly string[] | null | undefined
}

const invalidInput = (code: FailureCode, field: string, problem: string): Failure =>
  new Failure(code, `${field} ${problem}.`, { details: { field, problem } })

/** @returns undefined if neither list is given @throws Failure BAD_USER_INPUT */
export function readSelections({ tools, toolNames }: PresetToolsInput): readonly ToolSelection[] | undefined {
  const given = tools ?? toolNames
  if (given === null || given === undefined) return undefined
  if (tools && toolNames)
    throw invalidInput('BAD_USER_INPUT', 'toolNames', 'must not be given together with tools: give only tools')
  const field = tools ? 'tools' : 'toolNames'
  const selections = given.map((one, index): ToolSelection => {
    if (typeof one === 'string') return { source: 'BUILTIN', name: one }
    const { source, name, serverId } = one
    const where = `tools[${index}].serverId`
    if (source === 'BUILTIN') {
      if (serverId) throw invalidInput('BAD_USER_INPUT', where, 'must be omitted: a built-in tool has no server')
      return { source, name }
    }
    if (!serverId)
      throw invalidInput('BAD_USER_INPUT', where, 'must be given: it is the ID of the external tool’s server')
    return { source, serverId, name }
  })
  const pair = findRepeated(selections.map(selectionKey))
  if (pair !== undefined)
    throw invalidInput('BAD_USER_INPUT', `${field}[${pair[1]}]`, `is the same tool as ${field}[${pair[0]}]`)
  return selections
}

/** The reason why a selection is invalid. */
export interface SelectionProblem {
  readonly code: 'TOOL_NOT_FOUND' | 'SERVER_NOT_FOUND' | 'SERVER_UNAVAILABLE'
  readonly problem: string
}

export function checkSelection(
  selection: ToolSelection,
  builtin: RequestContext['tools'],
  discoveries: ReadonlyMap<string, Discovery>,
): SelectionProblem | undefined {
  const { name } = selection
  if (selection.source === 'BUILTIN') {
    return builtin.has(name)
      ? undefined
      : { code: 'TOOL_NOT_FOUND', problem: `must name a built-in tool: “${name}” is not one` }
  }
  const discovery = discoveries.get(selection.serverId)
  if (discovery?.available === true) {
    return discovery.tools.some(({ rawName }) => rawName === name)
      ? undefined
      : {
          code: 'TOOL_NOT_FOUND',
          problem: `must name a tool of the server ${describeServer(discovery)}: it has no “${name}”`,
        }
  }
  if (discovery === undefined || discovery.problem.code === 'NOT_FOUND')
    return { code: 'SERVER_NOT_FOUND', problem: `must name an external MCP server: there is no ${selection.serverId}` }
  return {
    code: 'SERVER_UNAVAILABLE',
    problem: `cannot be checked: the server ${describeServer(discovery)} cannot be used now (${discovery.problem.code})`,
  }
}

/**
 * Checks that the selected tools exist. A tool that the preset already has is accepted if its server is unavailable.
 * @throws Failure BAD_USER_INPUT, FAILED_PRECONDITION
 */
export async function requireTools(
  selections: readonly ToolSelection[],
  before: readonly ToolSelection[],
  { tools: builtin, externalTools }: Pick<RequestContext, 'tools' | 'externalTools'>,
  field: 'tools' | 'toolNames',
): Promise<void> {
  const known = new Set(before.map(selectionKey))
  const serverIds = selections.flatMap((selection) => (selection.source === 'EXTERNAL' ? [selection.serverId] : []))
  const discoveries = await discoverToolsOfServers(externalTools, serverIds)
  for (const [index, selection] of selections.entries()) {
    const found = checkSelection(selection, builtin, discoveries)
    if (found === undefined) continue
    const { code, problem } = found
    if (code === 'SERVER_UNAVAILABLE' && known.has(selectionKey(selection))) continue
    const part = field === 'toolNames' ? '' : code === 'SERVER_NOT_FOUND' ? '.serverId' : '.name'
    const failure = code === 'SERVER_UNAVAILABLE' ? 'FAILED_PRECONDITION' : 'BAD_USER_INPUT'
    throw invalidInput(failure, `${field}[${index}]${part}`, problem)
  }
}
