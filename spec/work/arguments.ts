/** Arguments that a command or a workflow declares, and that a caller gives. */
import * as v from 'valibot'
import { atMost, json, named, type TypeMetadata, text } from '../core/types.ts'

const argumentTypes = ['TEXT', 'NUMBER', 'BOOLEAN', 'CHOICE'] as const

/** The maximum number of arguments of a command or a workflow. */
export const argumentsMax = 20
/** The maximum number of choices of an argument. */
const choicesMax = 50

export type ArgumentValue = string | number | boolean

export type Argument = {
  readonly name: string
  readonly description: string
  readonly type: (typeof argumentTypes)[number]
  /** Empty unless the type is CHOICE. */
  readonly choices: readonly string[]
  /** Null if it has none. */
  readonly default: ArgumentValue | null
  readonly required: boolean
}

const argumentType = named(
  'ArgumentType',
  'The type of the values of an argument. CHOICE: one of the choices of the argument.',
  v.picklist(argumentTypes),
)

export const argumentName = v.pipe(
  text({ min: 1, max: 50 }),
  v.regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and "_", and begin with a letter'),
)

/** A value of an argument: a text, a number or a boolean. */
const argumentValue = v.pipe(
  v.unknown(),
  v.metadata({ scalar: 'JSON', jsonTypes: ['string', 'number', 'boolean'] } satisfies TypeMetadata),
  v.check((value) => ['string', 'number', 'boolean'].includes(typeof value), 'must be a text, a number or a boolean'),
  v.transform((value) => value as ArgumentValue),
)

const argumentInput = named(
  'ArgumentInput',
  'An argument that a caller can give.',
  v.object({
    name: v.pipe(argumentName, v.description('The name, unique in the list.')),
    description: v.pipe(v.nullish(text({ max: 500 })), v.description('Default: empty.')),
    type: argumentType,
    choices: v.pipe(
      v.nullish(v.pipe(v.array(text({ min: 1, max: 200 })), v.maxLength(choicesMax))),
      v.description('The possible values. Required with CHOICE, and refused otherwise.'),
    ),
    default: v.pipe(
      v.nullish(argumentValue),
      v.description('The value if the caller gives none: a text, a number or a boolean, as the type requires.'),
    ),
    required: v.pipe(
      v.nullish(v.boolean()),
      v.description('Whether each caller must give a value. Not together with a default. Default: false.'),
    ),
  }),
)

export const argumentInputs = v.pipe(v.array(argumentInput), v.maxLength(argumentsMax))

const argumentOutput = named(
  'Argument',
  'An argument that a caller can give.',
  v.object({
    name: v.string(),
    description: v.string(),
    type: argumentType,
    choices: v.pipe(v.array(v.string()), v.description('The possible values. Empty unless the type is CHOICE.')),
    default: v.pipe(
      v.nullable(json),
      v.description('The value if the caller gives none. Null if there is no default.'),
    ),
    required: v.boolean(),
  }),
)

export const argumentOutputs = atMost(argumentsMax, argumentOutput)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The values that a caller gives, by the names of the arguments. `readArguments` checks the names and types. */
export const argumentsByName = v.pipe(
  v.unknown(),
  v.metadata({
    scalar: 'JSON',
    jsonTypes: ['object'],
    jsonSchema: { maxProperties: argumentsMax },
  } satisfies TypeMetadata),
  v.check(isObject, 'must be an object with a value for each argument'),
  v.transform((value) => value as Readonly<Record<string, unknown>>),
)
