/** The rules of a command's content that concern several of its fields. */
import { Failure } from '../../core/failure.ts'
import { describeMismatch } from './argumentValues.ts'
import type { CommandArgument, CommandContent, ContentInput } from './content.ts'
import { describePosition, parseTemplate } from './template.ts'

/** @throws Failure BAD_USER_INPUT */
export function toContent(input: ContentInput): CommandContent {
  const declared = (input.arguments ?? []).map(
    (one): CommandArgument => ({
      name: one.name,
      description: one.description ?? '',
      type: one.type,
      choices: one.choices ?? [],
      default: one.default ?? null,
      required: one.required ?? false,
    }),
  )
  declared.forEach((one, index) => {
    checkArgument(one, `arguments.${index}`)
    if (declared.findIndex(({ name }) => name === one.name) < index)
      throw refusal(`arguments.${index}.name`, `two arguments have the name "${one.name}". Rename one of them.`)
  })
  const { prompt, shell } = input.body
  if (prompt !== undefined) checkPlaceholders(prompt, declared)
  const body =
    prompt === undefined
      ? { kind: 'SHELL' as const, template: shell ?? '' }
      : { kind: 'PROMPT' as const, template: prompt }
  return { name: input.name, description: input.description ?? '', ...body, arguments: declared }
}

function refusal(field: string, message: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${message}`, { details: { field } })
}

function checkArgument(argument: CommandArgument, field: string): void {
  const { type, choices } = argument
  if (type === 'CHOICE' && choices.length === 0)
    throw refusal(`${field}.choices`, 'an argument of the type CHOICE needs at least one choice.')
  if (type !== 'CHOICE' && choices.length > 0)
    throw refusal(
      `${field}.choices`,
      `an argument of the type ${type} has no choices. Leave them out, or use the type CHOICE.`,
    )
  const twice = choices.find((choice, index) => choices.indexOf(choice) !== index)
  if (twice !== undefined) throw refusal(`${field}.choices`, `"${twice}" is there twice. Keep one of them.`)
  if (argument.default === null) return
  if (argument.required)
    throw refusal(`${field}.default`, 'a required argument has no default. Leave out the default or `required`.')
  const mismatch = describeMismatch(argument, argument.default)
  if (mismatch !== undefined) throw refusal(`${field}.default`, mismatch)
}

function checkPlaceholders(template: string, declared: readonly CommandArgument[]): void {
  const { placeholders, problem } = parseTemplate(template)
  const names = declared.map(({ name }) => name)
  const unknown = placeholders.find(({ argument }) => !names.includes(argument))
  if (unknown !== undefined) {
    const known = names.length === 0 ? 'no arguments' : `only the arguments ${names.join(', ')}`
    throw refusal(
      'body.prompt',
      `${describePosition(template, unknown.index)}: the argument "${unknown.argument}" is not declared. The command has ${known}. Declare it, or write {{{{ for two braces.`,
    )
  }
  if (problem !== undefined)
    throw refusal(
      'body.prompt',
      `${describePosition(template, problem.index)}: "${problem.found}" is not a placeholder. Write {{name}} with the name of an argument, or {{{{ for two braces.`,
    )
}
