/** Creates a worktree of a repository on one machine, and opens its page. */
import { useMemo } from 'preact/hooks'
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { format, messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { Field } from '../parts/forms/Field.tsx'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { navigate } from '../router.ts'

const { newWorktree: texts } = messages.repositories
const { place: fields } = messages.newRun

const createMutation = graphql(
  'mutation ($input: CreateWorktreeInput!) { createWorktree(input: $input) { worktree { id } } }',
)

interface NewWorktreeDialogProps {
  readonly codebase: { readonly id: string; readonly agent: { readonly name: string } }
  /** The number of commands that prepare it. Undefined if they are not known here. */
  readonly preparationCount?: number
  onClose(): void
}

/** The page of the worktree shows how it is created, so the dialog does not wait for the machine. */
export function NewWorktreeDialog({ codebase: { id, agent }, preparationCount = 0, onClose }: NewWorktreeDialogProps) {
  const keys = useMemo(createRepeatKeys, [])
  return (
    <ConfirmDialog
      title={format(texts.on, { machine: agent.name })}
      confirmLabel={texts.create}
      onClose={onClose}
      onConfirm={async (formData) => {
        const [branch, base] = [String(formData.get('branch')).trim(), String(formData.get('base')).trim()]
        const wanted = { codebaseId: id, branch, ...(base === '' ? {} : { base }) }
        const { createWorktree } = await keys.send(wanted, (idempotencyKey) =>
          requestGraphql(createMutation, { input: { ...wanted, idempotencyKey } }),
        )
        navigate(`/worktrees/${createWorktree.worktree.id}`)
      }}
    >
      <Field name="branch" label={fields.branch} hint={fields.branchHint} maxLength={244} />
      <Field name="base" label={fields.base} hint={fields.baseHint} isOptional maxLength={244} />
      {preparationCount > 0 && <p class="hint">{format(texts.prepared, { count: preparationCount })}</p>}
    </ConfirmDialog>
  )
}
