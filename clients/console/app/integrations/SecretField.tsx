/** The secret of an integration, as the user enters it. */
import { messages } from '../messages.ts'
import { Field } from '../parts/forms/Field.tsx'

interface SecretFieldProps {
  readonly hint: string
  /** Whether the provider generates the secret, so that the user must enter it. */
  readonly isRequired?: boolean
}

export function SecretField({ hint, isRequired = false }: SecretFieldProps) {
  return (
    <Field
      name="secret"
      label={messages.integrations.secret.label}
      hint={hint}
      maxLength={200}
      isOptional={!isRequired}
    />
  )
}

/** Null if it is left empty. */
export function readSecret(formData: FormData): string | null {
  const secret = String(formData.get('secret') ?? '').trim()
  return secret === '' ? null : secret
}
