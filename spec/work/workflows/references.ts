/** References in the texts of a workflow: `{{inputs.branch}}` and `{{steps.build.version}}`. */
import { parseTemplate } from '../template.ts'

export type Reference = { readonly input: string } | { readonly step: string; readonly output: string }

export function parseReference(path: string): Reference | undefined {
  const [first, second, third, ...more] = path.split('.')
  if (first === 'inputs' && second !== undefined && third === undefined) return { input: second }
  if (first !== 'steps' || second === undefined || third === undefined || more.length > 0) return undefined
  return { step: second, output: third }
}

/** The values that references can have. */
export interface ReferenceScope {
  readonly inputs: Readonly<Record<string, string>>
  /** Undefined if the step has no outputs, because it was skipped or has failed before it wrote them. */
  outputsOf(step: string): Readonly<Record<string, string>> | undefined
}

/** The treatment of a reference without a value: an error, or an empty text. */
export type IfMissing = 'refuse' | 'empty'

/** A reference that has no value. */
export class MissingValue extends Error {
  override readonly name = 'MissingValue'
}

/** @throws MissingValue unless missing values are empty */
export function expandReferences(text: string, scope: ReferenceScope, ifMissing: IfMissing = 'refuse'): string {
  return parseTemplate(text, 'path')
    .parts.map((part) => ('text' in part ? part.text : resolve(part.argument, scope, ifMissing)))
    .join('')
}

function resolve(path: string, { inputs, outputsOf }: ReferenceScope, ifMissing: IfMissing): string {
  const reference = parseReference(path)
  const value =
    reference === undefined
      ? undefined
      : 'input' in reference
        ? inputs[reference.input]
        : outputsOf(reference.step)?.[reference.output]
  if (value !== undefined) return value
  if (ifMissing === 'empty') return ''
  if (reference !== undefined && 'step' in reference)
    throw new MissingValue(`The step "${reference.step}" has no output "${reference.output}".`)
  throw new MissingValue(`There is no value for {{${path}}}.`)
}
