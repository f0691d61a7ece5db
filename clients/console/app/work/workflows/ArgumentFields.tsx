/** The values of declared inputs: a field for each, as its type needs it. */
import type { ResultOf } from '../../data/graphql.ts'
import { messages } from '../../messages.ts'
import { ChoiceField, Field, NumberField } from '../../parts/forms/Field.tsx'
import type { workflowDefinitionFragment } from './workflowInput.ts'

const texts = messages.workflows.form

export type DeclaredArgument = ResultOf<typeof workflowDefinitionFragment>['inputs'][number]

type Values = Readonly<Record<string, unknown>>

interface ArgumentFieldsProps {
  readonly declared: readonly DeclaredArgument[]
  /** The values at first, by the names of the inputs. */
  readonly values: Values
}

export function ArgumentFields({ declared, values }: ArgumentFieldsProps) {
  return (
    <>
      {declared.map((argument) => (
        <ArgumentField key={argument.name} argument={argument} value={values[argument.name]} />
      ))}
    </>
  )
}

function ArgumentField({ argument, value }: { readonly argument: DeclaredArgument; readonly value: unknown }) {
  const { type, choices, required, description } = argument
  const name = fieldName(argument.name)
  const initial = value ?? argument.default
  const text = initial == null ? '' : String(initial)
  const hint = description === '' ? {} : { hint: description }
  switch (type) {
    case 'NUMBER':
      return (
        <NumberField
          name={name}
          label={argument.name}
          {...hint}
          value={text === '' ? undefined : Number(text)}
          min={Number.MIN_SAFE_INTEGER}
          max={Number.MAX_SAFE_INTEGER}
          hasDecimals
        />
      )
    case 'BOOLEAN':
    case 'CHOICE': {
      const labels =
        type === 'BOOLEAN' ? { true: texts.yes, false: texts.no } : Object.fromEntries(choices.map((one) => [one, one]))
      const none = required && text !== '' ? {} : { '': texts.noValue }
      return <ChoiceField name={name} label={argument.name} choices={{ ...none, ...labels }} value={text} />
    }
    case 'TEXT':
      return <Field name={name} label={argument.name} {...hint} value={text} isOptional={!required} />
  }
}

/** The server names a wrong value so. */
function fieldName(name: string): string {
  return `inputs.${name}`
}

/** An empty field is left out, so that the default is used. The server checks the rest. */
export function readArguments(formData: FormData, declared: readonly DeclaredArgument[]): Values {
  const values: Record<string, string | number | boolean> = {}
  for (const { name, type } of declared) {
    const text = String(formData.get(fieldName(name)) ?? '')
    if (text === '') continue
    values[name] = type === 'NUMBER' ? Number(text) : type === 'BOOLEAN' ? text === 'true' : text
  }
  return values
}
