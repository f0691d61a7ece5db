/** The content of a command: its name, its template and the arguments that a call takes. */
import * as v from 'valibot'
import { oneOf } from '../../core/oneOf.ts'
import { idOf, named, text } from '../../core/types.ts'
import { type Argument, argumentInputs } from '../arguments.ts'

export const commandKinds = ['PROMPT', 'SHELL'] as const

export type CommandKind = (typeof commandKinds)[number]

/** A version of a command, as it is stored. */
export type CommandContent = {
  readonly name: string
  readonly description: string
  readonly kind: CommandKind
  readonly template: string
  readonly arguments: readonly Argument[]
}

export const commandKind = named(
  'CommandKind',
  'The kind of a command. PROMPT: the template is a task for a coding CLI. SHELL: the shell runs the template in the worktree.',
  v.picklist(commandKinds),
)

export const commandName = v.pipe(
  text({ min: 1, max: 64 }),
  v.regex(
    /^[a-z0-9](?:[a-z0-9/-]*[a-z0-9])?$/,
    'must be lower-case letters, digits, "-" and "/", and begin and end with a letter or digit',
  ),
)

const body = oneOf('CommandBodyInput', 'The template of the command: exactly one of these.', {
  prompt: v.pipe(
    text({ min: 1, max: 100_000 }),
    v.description(
      'A task for a coding CLI. `{{name}}` is replaced by the value of the argument `name`, and `{{{{` by two braces.',
    ),
  ),
  shell: v.pipe(
    text({ min: 1, max: 20_000 }),
    v.description(
      'A command that the shell runs in the worktree. It reads the argument `name` from the environment variable `ARG_NAME`: write `"$ARG_NAME"`, with the quotes. Values are never inserted into the command.',
    ),
  ),
})

export const contentFields = {
  name: v.pipe(commandName, v.description('The name, unique among the active commands of its scope.')),
  description: v.pipe(v.nullish(text({ max: 1_000 })), v.description('Default: empty.')),
  body,
  arguments: v.pipe(v.nullish(argumentInputs), v.description('The arguments that a call can give. Default: none.')),
}

export type ContentInput = v.InferOutput<ReturnType<typeof v.object<typeof contentFields, undefined>>>

/** The scope of a new command. */
export const commandRepositoryId = v.pipe(
  v.nullish(idOf('repository')),
  v.description(
    'The logical repository that the command is for. Omitted: it is for all repositories of the installation.',
  ),
)
