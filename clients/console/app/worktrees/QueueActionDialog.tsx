/** Confirms an action on the queue of a worktree, or on one of its runs and builds. */
import { CancelBuildDialog } from '../builds/CancelBuildDialog.tsx'
import { type GraphqlDocument, graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { format, messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ChoiceField } from '../parts/forms/Field.tsx'
import { ReasonField, readReason } from '../parts/forms/ReasonField.tsx'

const texts = messages.worktrees

type QueueMutation = GraphqlDocument<unknown, { id: string; reason?: string | null }>

const pauseMutation: QueueMutation = graphql(
  'mutation ($id: ID!, $reason: String) { pauseWorktreeQueue(input: { worktreeId: $id, reason: $reason }) { worktreeQueue { id } } }',
)
const resumeMutation: QueueMutation = graphql(
  'mutation ($id: ID!, $reason: String) { resumeWorktreeQueue(input: { worktreeId: $id, reason: $reason }) { worktreeQueue { id } } }',
)
const releaseMutation = graphql(`mutation ($worktreeId: ID!, $holderId: ID!, $reason: String) {
  releaseWorktreeSlot(input: { worktreeId: $worktreeId, holderId: $holderId, reason: $reason }) { worktreeQueue { id } }
}`)
const releaseReservationMutation: QueueMutation = graphql(
  'mutation ($id: ID!, $reason: String) { releaseWorktreeReservation(input: { worktreeId: $id, reason: $reason }) { worktreeQueue { id } } }',
)
const cancelMutation = graphql(
  'mutation ($runId: ID!, $reason: String) { cancelRun(input: { runId: $runId, reason: $reason }) { run { id } } }',
)
const limitMutation = graphql(`mutation ($runId: ID!, $limit: Int!) {
  updateRunConfiguration(input: { runId: $runId, configuration: { worktreeConcurrencyLimit: $limit } }) { run { id } }
}`)

/** A run or a build. */
interface NamedRun {
  readonly id: string
  readonly title: string
}

export type QueueAction =
  | { readonly type: 'pause' | 'resume' }
  | { readonly type: 'cancel'; readonly run: NamedRun }
  | { readonly type: 'cancelBuild'; readonly run: NamedRun }
  /** The run or build that reserves the worktree may give up the reservation alone. */
  | { readonly type: 'release'; readonly run: NamedRun; readonly isReserving: boolean }
  | { readonly type: 'limit'; readonly run: NamedRun; readonly limit: number }

interface QueueActionDialogProps {
  readonly worktreeId: string
  readonly action: QueueAction
  onClose(): void
}

export function QueueActionDialog({ worktreeId, action, onClose }: QueueActionDialogProps) {
  switch (action.type) {
    case 'pause':
    case 'resume': {
      const { title, description } = texts[action.type]
      const mutation = action.type === 'pause' ? pauseMutation : resumeMutation
      return (
        <ConfirmDialog
          title={title}
          confirmLabel={title}
          onClose={onClose}
          onConfirm={async (formData) => {
            await requestGraphql(mutation, { id: worktreeId, reason: readReason(formData) })
          }}
        >
          <p>{description}</p>
          <ReasonField />
        </ConfirmDialog>
      )
    }
    case 'release':
      return (
        <ConfirmDialog
          title={format(texts.release.of, { run: action.run.title })}
          confirmLabel={texts.release.title}
          look="danger"
          onClose={onClose}
          onConfirm={async (formData) => {
            const reason = readReason(formData)
            if (formData.get('released') === 'reservation') {
              await requestGraphql(releaseReservationMutation, { id: worktreeId, reason })
              return
            }
            await requestGraphql(releaseMutation, { worktreeId, holderId: action.run.id, reason })
          }}
        >
          <p>{texts.release.description}</p>
          {action.isReserving && (
            <ChoiceField
              name="released"
              label={texts.release.released}
              choices={{ slot: texts.release.slotAndReservation, reservation: texts.release.reservationOnly }}
              value="slot"
            />
          )}
          <ReasonField />
        </ConfirmDialog>
      )
    case 'cancel':
      return (
        <ConfirmDialog
          title={format(texts.cancel.of, { run: action.run.title })}
          confirmLabel={messages.run.actions.cancel}
          cancelLabel={messages.run.actions.keepRun}
          look="danger"
          onClose={onClose}
          onConfirm={async (formData) => {
            await requestGraphql(cancelMutation, { runId: action.run.id, reason: readReason(formData) })
          }}
        >
          <p>{texts.cancel.description}</p>
          <ReasonField />
        </ConfirmDialog>
      )
    case 'cancelBuild':
      return <CancelBuildDialog id={action.run.id} name={action.run.title} onClose={onClose} />
    case 'limit':
      return (
        <ConfirmDialog
          title={`${texts.limit.title}: ${action.run.title}`}
          confirmLabel={texts.limit.confirm}
          onClose={onClose}
          onConfirm={async (formData) => {
            await requestGraphql(limitMutation, { runId: action.run.id, limit: Number(formData.get('limit')) })
          }}
        >
          <div class="field">
            <label for="limit">{texts.limit.field}</label>
            <input
              id="limit"
              name="limit"
              type="number"
              min={0}
              max={32}
              required
              defaultValue={String(action.limit)}
            />
          </div>
        </ConfirmDialog>
      )
  }
}
