import type { CommandVersion } from '../../../../machines/work/commandKeys.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { promptMax } from '../../../../spec/runs/runRequests.ts'
import { readArguments, toEnvironment } from '../../../../spec/work/argumentValues.ts'
import { runCommand } from '../../../../spec/work/commands/runCommand.ts'
import { expandTemplate, parseTemplate } from '../../../../spec/work/template.ts'
import { requireRow } from '../../core/rows.ts'
import { handle } from '../../handler.ts'
import { repeatedRun, usableWorktree } from '../../runs/newRuns.ts'
import { createFirstRun, type Task } from '../../runs/runRequests.ts'
import { requireUsable } from './findCommand.ts'
import { readVersion } from './versions.ts'

/** The work of a call. A shell command gets the values as environment variables, so no value becomes part of the command. */
function toTask(
  { kind, template, arguments: declared }: CommandVersion,
  given: Readonly<Record<string, unknown>>,
  cli: string | null,
): Task {
  const values = readArguments(declared, given, { field: 'arguments', owner: 'command' })
  if (kind === 'SHELL') return { prompt: null, command: template, env: toEnvironment(values), cli }
  const prompt = expandTemplate(parseTemplate(template).parts, values)
  if (prompt.trim() === '' || prompt.length > promptMax) {
    const length = prompt.trim() === '' ? 'is empty' : `has ${prompt.length} characters`
    throw new Failure(
      'BAD_USER_INPUT',
      `arguments: the prompt ${length} with these values. It must have 1 to ${promptMax} characters.`,
      { details: { field: 'arguments' } },
    )
  }
  return { prompt, command: null, cli }
}

export const runCommandHandlers = [
  handle(runCommand, ['views', 'tools', 'externalTools', 'ids'], {
    repeat: repeatedRun,
    translate: async ({ command: ref, worktreeId, arguments: given, cli = null, ...terms }, context) => {
      const { views } = context
      const on = await usableWorktree(worktreeId, context)
      const { repositoryId } = (await requireRow(views, 'codebase', on.codebaseId)).context
      const { id, context: command } = await requireUsable(ref, repositoryId, views)
      const version = await readVersion(id, command.revision, views)
      const first = {
        ...toTask(version, given ?? {}, cli),
        kind: 'SESSION',
        title: terms.title ?? version.name,
        ofCommand: { id, name: version.name, version: command.revision },
      } as const
      return await createFirstRun(first, terms, on, context)
    },
  }),
]
