/** The rules of a command's content that concern several of its fields. */
import { Failure } from '../../core/failure.ts'
import type { Argument } from '../arguments.ts'
import { checkDeclaredArguments } from '../checkDeclaredArguments.ts'
import { describePosition, parseTemplate } from '../template.ts'
import type { CommandContent, ContentInput } from './content.ts'

/** @throws Failure BAD_USER_INPUT */
export function toContent(input: ContentInput): CommandContent {
  const declared = checkDeclaredArguments(input.arguments, 'arguments')
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

function checkPlaceholders(template: string, declared: readonly Argument[]): void {
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
