/** The values of declared inputs or arguments: a field for each, as its type needs it. */
import type { ResultOf } from '../../data/graphql.ts'
import { messages } from '../../messages.ts'
import { ChoiceField, Field, NumberField } from '../../parts/forms/Field.tsx'
import type { ArgumentGroup, workflowDefinitionFragment } from './workflowInput.ts'

const texts = messages.workflows.form

export type DeclaredArgument = ResultOf<typeof workflowDefinitionFragment>['inputs'][number]

type Values = Readonly<Record<string, unknown>>

interface ArgumentFieldsProps {
  readonly declared: readonly DeclaredArgument[]
  /** The values at first, by the names of the inputs. */
  readonly values: Values
  readonly group?: ArgumentGroup
}

export function ArgumentFields({ declared, values, group = 'inputs' }: ArgumentFieldsProps) {
  return (
    <>
      {declared.map((argument) => (
        <ArgumentField
          key={argument.name}
          name={`${group}.${argument.name}`}
          argument={argument}
          value={values[argument.name]}
        />
      ))}
    </>
  )
}

interface ArgumentFieldProps {
  /** The server names a wrong value so. */
  readonly name: string
  readonly argument: DeclaredArgument
  readonly value: unknown
}

function ArgumentField({ name, argument, value }: ArgumentFieldProps) {
  const { type, choices, required, description } = argument
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

/** An empty field is left out, so that the default is used. The server checks the rest. */
export function readArguments(
  formData: FormData,
  declared: readonly DeclaredArgument[],
  group: ArgumentGroup = 'inputs',
): Values {
  const values: Record<string, string | number | boolean> = {}
  for (const { name, type } of declared) {
    const text = String(formData.get(`${group}.${name}`) ?? '')
    if (text === '') continue
    values[name] = type === 'NUMBER' ? Number(text) : type === 'BOOLEAN' ? text === 'true' : text
  }
  return values
}
