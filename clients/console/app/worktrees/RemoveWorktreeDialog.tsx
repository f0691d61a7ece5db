/** Confirms the removal of a worktree from its machine. */
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { formatParts, messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'

const { remove: texts } = messages.worktrees

const removeMutation = graphql(
  'mutation ($id: ID!, $force: Boolean) { removeWorktree(input: { worktreeId: $id, force: $force }) { worktree { id status } } }',
)

interface RemoveWorktreeDialogProps {
  readonly worktree: { readonly id: string; readonly path: string | null; readonly agent: { readonly name: string } }
  onClose(): void
}

export function RemoveWorktreeDialog({ worktree: { id, path, agent }, onClose }: RemoveWorktreeDialogProps) {
  return (
    <ConfirmDialog
      title={texts.button}
      confirmLabel={texts.button}
      cancelLabel={texts.keep}
      look="danger"
      onClose={onClose}
      onConfirm={async (formData) => {
        await requestGraphql(removeMutation, { id, force: formData.get('force') === 'on' })
      }}
    >
      <p>{formatParts(texts.description, { path: <span class="path">{path ?? id}</span>, machine: agent.name })}</p>
      <label class="check">
        <input type="checkbox" name="force" /> {texts.force}
      </label>
    </ConfirmDialog>
  )
}
