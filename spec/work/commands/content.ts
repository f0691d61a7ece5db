/** The content of a command: its name, its template and the arguments that a call takes. */
import * as v from 'valibot'
import { oneOf } from '../../core/oneOf.ts'
import { idOf, named, type TypeMetadata, text } from '../../core/types.ts'

export const commandKinds = ['PROMPT', 'SHELL'] as const
export const commandArgumentTypes = ['TEXT', 'NUMBER', 'BOOLEAN', 'CHOICE'] as const

/** The maximum number of arguments of a command, and of choices of an argument. */
export const argumentsMax = 20
const choicesMax = 50

export type CommandKind = (typeof commandKinds)[number]
export type ArgumentValue = string | number | boolean

export type CommandArgument = {
  readonly name: string
  readonly description: string
  readonly type: (typeof commandArgumentTypes)[number]
  /** Empty unless the type is CHOICE. */
  readonly choices: readonly string[]
  /** Null if it has none. */
  readonly default: ArgumentValue | null
  readonly required: boolean
}

/** A version of a command, as it is stored. */
export type CommandContent = {
  readonly name: string
  readonly description: string
  readonly kind: CommandKind
  readonly template: string
  readonly arguments: readonly CommandArgument[]
}

export const commandKind = named(
  'CommandKind',
  'The kind of a command. PROMPT: the template is a task for a coding CLI. SHELL: the shell runs the template in the worktree.',
  v.picklist(commandKinds),
)

export const commandArgumentType = named(
  'CommandArgumentType',
  'The type of the values of an argument. CHOICE: one of the choices of the argument.',
  v.picklist(commandArgumentTypes),
)

export const commandName = v.pipe(
  text({ min: 1, max: 64 }),
  v.regex(
    /^[a-z0-9](?:[a-z0-9/-]*[a-z0-9])?$/,
    'must be lower-case letters, digits, "-" and "/", and begin and end with a letter or digit',
  ),
)

const argumentName = v.pipe(
  text({ min: 1, max: 50 }),
  v.regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and "_", and begin with a letter'),
)

/** A value of an argument: a text, a number or a boolean. */
export const argumentValue = v.pipe(
  v.unknown(),
  v.metadata({ scalar: 'JSON', jsonTypes: ['string', 'number', 'boolean'] } satisfies TypeMetadata),
  v.check((value) => ['string', 'number', 'boolean'].includes(typeof value), 'must be a text, a number or a boolean'),
  v.transform((value) => value as ArgumentValue),
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

const argument = named(
  'CommandArgumentInput',
  'An argument that a call of the command can give.',
  v.object({
    name: v.pipe(argumentName, v.description('The name, unique in the command.')),
    description: v.pipe(v.nullish(text({ max: 500 })), v.description('Default: empty.')),
    type: commandArgumentType,
    choices: v.pipe(
      v.nullish(v.pipe(v.array(text({ min: 1, max: 200 })), v.maxLength(choicesMax))),
      v.description('The possible values. Required with CHOICE, and refused otherwise.'),
    ),
    default: v.pipe(
      v.nullish(argumentValue),
      v.description('The value if a call gives none: a text, a number or a boolean, as the type requires.'),
    ),
    required: v.pipe(
      v.nullish(v.boolean()),
      v.description('Whether each call must give a value. Not together with a default. Default: false.'),
    ),
  }),
)

export const contentFields = {
  name: v.pipe(commandName, v.description('The name, unique among the active commands of its scope.')),
  description: v.pipe(v.nullish(text({ max: 1_000 })), v.description('Default: empty.')),
  body,
  arguments: v.pipe(
    v.nullish(v.pipe(v.array(argument), v.maxLength(argumentsMax))),
    v.description('The arguments that a call can give. Default: none.'),
  ),
}

export type ContentInput = v.InferOutput<ReturnType<typeof v.object<typeof contentFields, undefined>>>

/** The scope of a new command. */
export const commandRepositoryId = v.pipe(
  v.nullish(idOf('repository')),
  v.description(
    'The logical repository that the command is for. Omitted: it is for all repositories of the installation.',
  ),
)
