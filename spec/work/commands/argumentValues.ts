/** The values with which a command is called. */
import * as v from 'valibot'
import { Failure } from '../../core/failure.ts'
import { text } from '../../core/types.ts'
import type { ArgumentValue, CommandArgument } from './content.ts'

/** The maximum number of characters of a value. */
const valueMax = 20_000
/** The maximum size of the environment variables of one call, in bytes. Agents accept no larger environment. */
const environmentBytesMax = 32 * 1024

const textValue = text({ max: valueMax })

/** @returns the reason why the argument cannot have the value. Undefined if it can */
export function describeMismatch({ type, choices }: CommandArgument, value: unknown): string | undefined {
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

/**
 * The values as texts, with the defaults. An argument without a value is an empty text.
 * @throws Failure BAD_USER_INPUT for an unknown name, a missing value, or one of another type
 */
export function readArguments(
  declared: readonly CommandArgument[],
  given: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string> {
  const names = declared.map(({ name }) => name)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    const known = names.length === 0 ? 'no arguments' : `only the arguments ${names.join(', ')}`
    throw refusal(unknown, `the command has ${known}. Leave it out.`)
  }
  return new Map(declared.map((argument) => [argument.name, String(readArgument(argument, given[argument.name]))]))
}

function readArgument(argument: CommandArgument, given: unknown): ArgumentValue {
  if (given === undefined || given === null) {
    if (argument.required) throw refusal(argument.name, `is required. Give ${describeType(argument)}.`)
    return argument.default ?? ''
  }
  const mismatch = describeMismatch(argument, given)
  if (mismatch !== undefined) throw refusal(argument.name, mismatch)
  return given as ArgumentValue
}

function describeType({ type, choices }: CommandArgument): string {
  if (type === 'CHOICE') return `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`
  return { TEXT: 'a text', NUMBER: 'a number', BOOLEAN: 'true or false' }[type]
}

function refusal(name: string, message: string): Failure {
  const field = `arguments.${name.slice(0, 100)}`
  return new Failure('BAD_USER_INPUT', `${field}: ${message}`, { details: { field } })
}

/** The environment variables of a shell command. @throws Failure BAD_USER_INPUT if they are too large */
export function toEnvironment(values: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const variables = [...values].map(([name, value]) => [`ARG_${name.toUpperCase()}`, value] as const)
  const encoder = new TextEncoder()
  const bytes = variables.reduce((sum, [name, value]) => sum + encoder.encode(`${name}=${value}`).length + 1, 0)
  if (bytes > environmentBytesMax) {
    throw new Failure(
      'BAD_USER_INPUT',
      `arguments: the values have ${bytes} bytes as environment variables. A shell command takes at most ${environmentBytesMax}.`,
      { details: { field: 'arguments' } },
    )
  }
  return Object.fromEntries(variables)
}
