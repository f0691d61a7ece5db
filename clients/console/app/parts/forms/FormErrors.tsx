/** The submission of a form. An error is shown at its field, or otherwise below the fields. */
import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type ApiError, toApiError } from '../../data/apiError.ts'
import { format, messages } from '../../messages.ts'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { ErrorMessage } from '../notices/ErrorMessage.tsx'
import { isFieldNamed } from './fieldIds.ts'
import { createSubmissionStore, type SubmissionContext } from './submissionStore.ts'

export interface FormSubmission extends SubmissionContext {
  submit(form: HTMLFormElement): void
}

/** @param onSuccess called after success, when the form has been cleared unless the user has edited it since the submission */
export function useFormSubmission(
  onSubmit: (formData: FormData) => Promise<void>,
  onSuccess: () => void,
): FormSubmission {
  const [context, { trigger }] = useLocalStore(createSubmissionStore)
  const submit = (form: HTMLFormElement) => {
    if (context.isWorking) return
    trigger.submitted()
    const submitted = new FormData(form)
    onSubmit(submitted).then(
      () => {
        // Later edits are kept.
        if (hasSameEntries(submitted, new FormData(form))) form.reset()
        trigger.succeeded()
        onSuccess()
      },
      (cause: unknown) => {
        const error = toApiError(cause)
        const field = error.field === '' ? null : form.elements.namedItem(error.field)
        // Only a `Field` or a group of fields with the ID of one shows its own problem.
        const isControl =
          field instanceof HTMLInputElement ||
          field instanceof HTMLTextAreaElement ||
          field instanceof HTMLFieldSetElement
        const isFieldError = isControl && isFieldNamed(field, error.field)
        trigger.failed({ error, isFieldError })
        // A field of a closed part cannot have the focus.
        const part = isControl ? field.closest('details') : null
        if (part) part.open = true
        if (isControl) field.focus()
      },
    )
  }
  return { ...context, submit }
}

function hasSameEntries(a: FormData, b: FormData): boolean {
  const toText = (data: FormData) =>
    JSON.stringify([...data].map(([name, value]) => [name, value instanceof File ? [value.name, value.size] : value]))
  return toText(a) === toText(b)
}

const FieldErrorContext = createContext<ApiError | undefined>(undefined)

export function FormErrors({
  submission: { error, isFieldError },
  children,
}: {
  readonly submission: FormSubmission
  readonly children: ComponentChildren
}) {
  return (
    <FieldErrorContext.Provider value={isFieldError ? error : undefined}>
      {children}
      {error && !isFieldError && <ErrorMessage error={error} />}
    </FieldErrorContext.Provider>
  )
}

/** Returns the problem of a field. Empty if there is none. */
export function useFieldProblem(name: string): string {
  const error = useContext(FieldErrorContext)
  if (error === undefined || error.field !== name) return ''
  return error.problem === '' ? error.message : format(messages.parts.invalidValue, { problem: error.problem })
}
