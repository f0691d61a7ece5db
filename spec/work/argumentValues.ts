/** The values of the arguments of a command or a workflow. */
import * as v from 'valibot'
import { Failure } from '../core/failure.ts'
import { text } from '../core/types.ts'
import type { Argument, ArgumentValue } from './arguments.ts'
import { environmentBytes, environmentBytesMax } from './environment.ts'

/** The maximum number of characters of a value. */
const valueMax = 20_000
const textValue = text({ max: valueMax })

/** @returns the reason why the argument cannot have the value. Undefined if it can */
export function describeMismatch({ type, choices }: Argument, value: unknown): string | undefined {
  switch (type) {
    case 'NUMBER':
      return typeof value === 'number' && Number.isFinite(value)
        ? undefined
        : `must be a number, not ${shorten(value)}.`
    case 'BOOLEAN':
      return typeof value === 'boolean' ? undefined : `must be true or false, not ${shorten(value)}.`
    case 'CHOICE':
      return typeof value === 'string' && choices.includes(value)
        ? undefined
        : `must be one of ${choices.map((choice) => `"${choice}"`).join(', ')}, not ${shorten(value)}.`
    case 'TEXT': {
      if (typeof value !== 'string') return `must be a text, not ${shorten(value)}.`
      const parsed = v.safeParse(textValue, value)
      return parsed.success ? undefined : `${parsed.issues[0].message}.`
    }
  }
}

function shorten(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value)
  return json.length > 60 ? `${json.slice(0, 60)}…` : json
}

/** The field of the input that has the values, and the kind of object that declares the arguments. */
interface ArgumentsSource {
  readonly field: 'arguments' | 'inputs'
  readonly owner: 'command' | 'workflow'
  /** The values are texts, as steps of a workflow give them. Those of other types are converted. */
  readonly areTexts?: boolean
}

/**
 * The values as texts, with the defaults. An argument without a value is an empty text.
 * @throws Failure BAD_USER_INPUT for an unknown name, a missing value, or one of another type
 */
export function readArguments(
  declared: readonly Argument[],
  given: Readonly<Record<string, unknown>>,
  { field, owner, areTexts = false }: ArgumentsSource,
): ReadonlyMap<string, string> {
  const names = declared.map(({ name }) => name)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    const known = names.length === 0 ? `no ${field}` : `only the ${field} ${names.join(', ')}`
    throw refusal(field, unknown, `the ${owner} has ${known}. Leave it out.`)
  }
  const givenFor = (argument: Argument) => (areTexts ? fromText(argument, given[argument.name]) : given[argument.name])
  const read = (argument: Argument) => String(readArgument(argument, givenFor(argument), field))
  return new Map(declared.map((argument) => [argument.name, read(argument)]))
}

/** An empty text is no value, except for a TEXT. A text that is no value of the type stays, so that it is refused with its name. */
function fromText({ type }: Argument, given: unknown): unknown {
  if (typeof given !== 'string' || type === 'TEXT') return given
  if (given === '') return undefined
  if (type === 'BOOLEAN') return given === 'true' ? true : given === 'false' ? false : given
  const number = Number(given)
  return type === 'NUMBER' && given.trim() !== '' && Number.isFinite(number) ? number : given
}

function readArgument(argument: Argument, given: unknown, field: string): ArgumentValue {
  if (given === undefined || given === null) {
    if (argument.required) throw refusal(field, argument.name, `is required. Give ${describeType(argument)}.`)
    return argument.default ?? ''
  }
  const mismatch = describeMismatch(argument, given)
  if (mismatch !== undefined) throw refusal(field, argument.name, mismatch)
  return given as ArgumentValue
}

function describeType({ type, choices }: Argument): string {
  if (type === 'CHOICE') return `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`
  return { TEXT: 'a text', NUMBER: 'a number', BOOLEAN: 'true or false' }[type]
}

function refusal(within: string, name: string, message: string): Failure {
  const field = `${within}.${name.slice(0, 100)}`
  return new Failure('BAD_USER_INPUT', `${field}: ${message}`, { details: { field } })
}

/** The environment variables of a shell command. @throws Failure BAD_USER_INPUT if they are too large */
export function toEnvironment(values: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const variables = Object.fromEntries([...values].map(([name, value]) => [`ARG_${name.toUpperCase()}`, value]))
  const bytes = environmentBytes(variables)
  if (bytes > environmentBytesMax) {
    throw new Failure(
      'BAD_USER_INPUT',
      `arguments: the values have ${bytes} bytes as environment variables. A shell command takes at most ${environmentBytesMax}.`,
      { details: { field: 'arguments' } },
    )
  }
  return variables
}
