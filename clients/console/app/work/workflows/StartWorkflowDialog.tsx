/** Starts a workflow on a worktree. */
import { useMemo } from 'preact/hooks'
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { format, messages } from '../../messages.ts'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { navigate } from '../../router.ts'
import { WorktreeField } from '../WorktreeField.tsx'
import { ArgumentFields, type DeclaredArgument, readArguments } from './ArgumentFields.tsx'

const texts = messages.workflows

const startMutation = graphql('mutation ($input: StartWorkflowInput!) { startWorkflow(input: $input) { run { id } } }')

interface StartWorkflowDialogProps {
  readonly workflowId: string
  readonly name: string
  readonly inputs: readonly DeclaredArgument[]
  onClose(): void
}

export function StartWorkflowDialog({ workflowId, name, inputs, onClose }: StartWorkflowDialogProps) {
  const keys = useMemo(createRepeatKeys, [])
  return (
    <ConfirmDialog
      title={format(texts.startTitle, { name })}
      confirmLabel={texts.start}
      onClose={onClose}
      onConfirm={async (formData) => {
        const worktreeId = String(formData.get('worktreeId'))
        const request = { workflowId, worktreeId, inputs: readArguments(formData, inputs) }
        const { startWorkflow } = await keys.send(request, (idempotencyKey) =>
          requestGraphql(startMutation, { input: { ...request, idempotencyKey } }),
        )
        navigate(`/runs/${startWorkflow.run.id}`)
      }}
    >
      <ArgumentFields declared={inputs} values={{}} />
      <WorktreeField />
    </ConfirmDialog>
  )
}
