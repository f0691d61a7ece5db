/** The exclusive run that has reserved the worktree, and the release of its slot. */
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ReasonField, readReason } from '../parts/forms/ReasonField.tsx'
import { useDialog } from '../state/dialogStore.ts'

const releaseMutation = graphql(`mutation ($worktreeId: ID!, $runId: ID!, $reason: String) {
  releaseWorktreeSlot(input: { worktreeId: $worktreeId, runId: $runId, reason: $reason }) { worktreeQueue { id } }
}`)

export function ReservedSlot({ worktreeId, runId }: { readonly worktreeId: string; readonly runId: string }) {
  // The run that was shown when the dialog was opened, even if another one reserves the worktree meanwhile.
  const { dialog: selectedRunId, open, close } = useDialog<string>()
  return (
    <>
      <p class="note">
        Reserved for <a href={`/runs/${runId}`}>an exclusive run</a>{' '}
        <button type="button" class="quiet" onClick={() => open(runId)}>
          Release slot
        </button>
      </p>
      {selectedRunId && (
        <ConfirmDialog
          title="Release slot"
          confirmLabel="Release slot"
          onClose={close}
          onConfirm={async (formData) => {
            await requestGraphql(releaseMutation, { worktreeId, runId: selectedRunId, reason: readReason(formData) })
          }}
        >
          <p>
            The slot and the reservation of the run are released, although its agent has not confirmed that no process
            of the run is left. Release them only if you know that none is left. Otherwise two runs may write to the
            worktree at the same time.
          </p>
          <ReasonField />
        </ConfirmDialog>
      )}
    </>
  )
}
