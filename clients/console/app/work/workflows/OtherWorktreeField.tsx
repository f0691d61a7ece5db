import { messages } from '../../messages.ts'
import { Field } from '../../parts/forms/Field.tsx'

const texts = messages.workflows.form

interface OtherWorktreeFieldProps {
  /** The prefix of the names of the fields. */
  readonly name: string
  readonly value: string | null | undefined
}

/** The worktree of a step that does not use that of the run. */
export function OtherWorktreeField({ name, value }: OtherWorktreeFieldProps) {
  return (
    <Field
      name={`${name}.worktreeId`}
      label={texts.otherWorktree}
      hint={texts.otherWorktreeHint}
      value={value ?? ''}
      placeholder="wt_…"
      isOptional
    />
  )
}
