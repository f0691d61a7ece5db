/** Commands: named templates of prompts and shell commands, with arguments, for the installation or one repository. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../../core/connections.ts'
import { idempotencyKey } from '../../core/idempotencyKey.ts'
import { oneById } from '../../core/oneById.ts'
import { mutation, query } from '../../core/operation.ts'
import { expectedRevision } from '../../core/revision.ts'
import { dateTime, id, idOf, int, named } from '../../core/types.ts'
import { argumentOutputs } from '../arguments.ts'
import { commandKind, commandName, commandRepositoryId, contentFields } from './content.ts'

export const commandStatus = named(
  'CommandStatus',
  'The status of a command. An archived command cannot be run, and another one can have its name.',
  v.picklist(['ACTIVE', 'ARCHIVED']),
)

const kind = commandKind
const version = v.pipe(int, v.description('The number of changes of the content, from 1. Each version is kept.'))

export const commandSchema = named(
  'Command',
  'A named template of a prompt or of a shell command, with arguments.',
  v.object({
    id,
    name: v.string(),
    description: v.string(),
    kind,
    status: commandStatus,
    repositoryId: v.pipe(
      v.nullable(id),
      v.description('The logical repository that the command is for. Null: it is for all repositories.'),
    ),
    version,
    revision: v.pipe(int, v.description('The same number as `version`. Pass it as `expectedRevision`.')),
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
)

export const commandTemplate = v.string()
export const commandArguments = argumentOutputs

export const commandVersion = named(
  'CommandVersion',
  'A version of the content of a command.',
  v.object({
    version: v.pipe(int, v.description('Counts from 1.')),
    name: v.string(),
    description: v.string(),
    kind,
    template: commandTemplate,
    arguments: commandArguments,
    authorId: v.pipe(id, v.description('The user, API key or run that wrote the version.')),
    createdAt: dateTime,
  }),
)

export const commands = query({
  name: 'commands',
  description: 'Commands, newest first, without archived ones unless `statuses` names ARCHIVED.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_commands',
    title: 'List commands',
    description:
      'Lists the commands (named templates of prompts and shell commands), newest first: name, description and kind. ' +
      '`get_command` returns the template and the arguments of one, and `run_command` runs it on a worktree.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('Command', ['CREATED_AT']),
    repositoryId: v.pipe(
      v.nullish(idOf('repository')),
      v.description('Returns only the commands that are for this repository alone.'),
    ),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(commandStatus), v.maxLength(2))),
      v.description('Returns only commands with one of these statuses. Default: ACTIVE.'),
    ),
  }),
  output: connectionOf('Command', commandSchema),
})

export const command = query({
  ...oneById('command', commandSchema),
  tool: {
    group: 'runs',
    name: 'get_command',
    title: 'Get a command',
    description:
      'Returns one command by its ID (`cmd_…`): its template, and the arguments that `run_command` takes. ' +
      '`get_command_by_name` finds a command by its name.',
  },
})

export const commandByName = query({
  name: 'commandByName',
  description:
    'Returns the active command with a name: that of the repository, or else that of the installation. Null if there is none.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_command_by_name',
    title: 'Find a command by its name',
    description:
      'Returns the active command with a name, with its template and its arguments. With `repositoryId` a command of the ' +
      'repository is preferred to one of the installation. `run_command` on a worktree of the repository would run the same one.',
  },
  input: v.object({
    name: commandName,
    repositoryId: v.pipe(
      v.nullish(idOf('repository')),
      v.description('The repository whose commands are preferred. Omitted: only commands of the installation.'),
    ),
  }),
  output: v.nullable(commandSchema),
})

const payload = (typeName: string) =>
  named(typeName, 'The command after the change.', v.object({ command: commandSchema }))

export const createCommand = mutation({
  name: 'createCommand',
  description: 'Creates a command.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Create a command',
    description:
      'Creates a command: a named template that `run_command` runs on a worktree. `body` is a `prompt` for a coding CLI, with ' +
      'placeholders `{{name}}`, or a `shell` command, which reads its arguments from the environment as `"$ARG_NAME"`.',
  },
  input: v.object({ ...contentFields, repositoryId: commandRepositoryId, idempotencyKey }),
  output: payload('CreateCommandPayload'),
})

export const updateCommand = mutation({
  name: 'updateCommand',
  description:
    'Replaces the content of a command, as a new version. Existing runs keep the version that they started with.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Change a command',
    description:
      'Replaces the whole content of a command, as a new version: pass every field that should stay, as `get_command` returns ' +
      'it. Former versions are kept. Pass the `revision` that you have read as `expectedRevision`, so that no change is lost.',
    idempotent: true,
  },
  input: v.object({ commandId: idOf('command'), ...contentFields, expectedRevision }),
  output: payload('UpdateCommandPayload'),
})

export const archiveCommand = mutation({
  name: 'archiveCommand',
  description:
    'Archives a command: it cannot be run, and another one can have its name. `unarchiveCommand` restores it.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Archive a command',
    description:
      'Archives a command: it can no longer be run or changed, and another command can have its name. `unarchive_command` ' +
      'restores it. Existing runs continue.',
    idempotent: true,
  },
  input: v.object({ commandId: idOf('command') }),
  output: payload('ArchiveCommandPayload'),
})

export const unarchiveCommand = mutation({
  name: 'unarchiveCommand',
  description: 'Restores an archived command. It is refused (CONFLICT) if another active command has its name.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Unarchive a command',
    description: 'Restores an archived command. It is refused if another active command of its scope has its name.',
    idempotent: true,
  },
  input: v.object({ commandId: idOf('command') }),
  output: payload('UnarchiveCommandPayload'),
})
