/** The declared arguments of a command, and the declared inputs of a workflow: their defaults, and the rules that one schema cannot hold. */
import type * as v from 'valibot'
import { Failure } from '../core/failure.ts'
import type { Argument, argumentInputs } from './arguments.ts'
import { describeMismatch } from './argumentValues.ts'

/**
 * The declared arguments, with their defaults.
 * @param field the field of the input that has them
 * @throws Failure BAD_USER_INPUT
 */
export function checkDeclaredArguments(
  given: v.InferOutput<typeof argumentInputs> | null | undefined,
  field: string,
): readonly Argument[] {
  const declared = (given ?? []).map(
    (one): Argument => ({
      name: one.name,
      description: one.description ?? '',
      type: one.type,
      choices: one.choices ?? [],
      default: one.default ?? null,
      required: one.required ?? false,
    }),
  )
  declared.forEach((one, index) => {
    checkArgument(one, `${field}.${index}`)
    if (declared.findIndex(({ name }) => name === one.name) < index)
      throw refusal(`${field}.${index}.name`, `two arguments have the name "${one.name}". Rename one of them.`)
  })
  return declared
}

function refusal(field: string, message: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${message}`, { details: { field } })
}

function checkArgument(argument: Argument, field: string): void {
  const { type, choices } = argument
  if (type === 'CHOICE' && choices.length === 0)
    throw refusal(`${field}.choices`, 'an argument of the type CHOICE needs at least one choice.')
  if (type !== 'CHOICE' && choices.length > 0)
    throw refusal(
      `${field}.choices`,
      `an argument of the type ${type} has no choices. Leave them out, or use the type CHOICE.`,
    )
  const twice = choices.find((choice, index) => choices.indexOf(choice) !== index)
  if (twice !== undefined) throw refusal(`${field}.choices`, `"${twice}" is in the choices twice. Keep one of them.`)
  if (argument.default === null) return
  if (argument.required)
    throw refusal(`${field}.default`, 'a required argument has no default. Leave out the default or `required`.')
  const mismatch = describeMismatch(argument, argument.default)
  if (mismatch !== undefined) throw refusal(`${field}.default`, mismatch)
}
