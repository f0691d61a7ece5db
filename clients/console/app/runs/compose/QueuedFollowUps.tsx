/** The follow-ups that wait for the end of the current turn. Each can be edited and withdrawn. */

import { graphql, type ResultOf } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { TextAreaField } from '../../parts/forms/Field.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { useDialog } from '../../state/dialogStore.ts'
import { useRequest } from '../../state/requestStore.ts'

const { followUps: texts } = messages.run

const queuedQuery = graphql(`query ($id: ID!) { session(id: $id) {
  isFollowUpQueuePaused queuedFollowUps(first: 20) { totalCount nodes { runId prompt revision } }
} }`)
const updateMutation = graphql(
  'mutation ($input: UpdateQueuedFollowUpInput!) { updateQueuedFollowUp(input: $input) { session { id } } }',
)
const withdrawMutation = graphql(
  'mutation ($input: WithdrawQueuedFollowUpInput!) { withdrawQueuedFollowUp(input: $input) { session { id } } }',
)
const resumeMutation = graphql(
  'mutation ($id: ID!) { resumeQueuedFollowUps(input: { sessionId: $id }) { session { id } } }',
)

type QueuedFollowUp = NonNullable<ResultOf<typeof queuedQuery>['session']>['queuedFollowUps']['nodes'][number]

export function QueuedFollowUps({ sessionId }: { readonly sessionId: string }) {
  const { data, refresh } = useQuery(queuedQuery, { id: sessionId })
  useOnActorTransition(sessionId, refresh)
  const { dialog, open, close } = useDialog<QueuedFollowUp>()
  const { error, send } = useRequest()
  const session = data?.session
  if (!session || session.queuedFollowUps.totalCount === 0) return null
  const { isFollowUpQueuePaused, queuedFollowUps } = session
  const { nodes, totalCount } = queuedFollowUps
  const withdraw = (runId: string) => void send(requestGraphql(withdrawMutation, { input: { sessionId, runId } }))
  return (
    <>
      <ol class="queued-follow-ups" aria-label={texts.queuedList}>
        {nodes.map((followUp) => (
          <li key={followUp.runId}>
            <span class="hint">{texts.queued}</span>
            <span class="prompt">{followUp.prompt}</span>
            <ActionButton onClick={() => open(followUp)}>{texts.edit}</ActionButton>
            <ActionButton onClick={() => withdraw(followUp.runId)}>{texts.withdraw}</ActionButton>
          </li>
        ))}
      </ol>
      {totalCount > nodes.length && (
        <p class="hint">{format(messages.parts.firstOf, { shown: nodes.length, total: totalCount })}</p>
      )}
      {isFollowUpQueuePaused && (
        <p class="note">
          {texts.paused}{' '}
          <ActionButton onClick={() => void send(requestGraphql(resumeMutation, { id: sessionId }))}>
            {texts.resume}
          </ActionButton>
        </p>
      )}
      {error && <ErrorMessage error={error} />}
      {dialog && (
        <ConfirmDialog
          title={texts.editTitle}
          confirmLabel={texts.save}
          onClose={close}
          onConfirm={async (formData) => {
            const prompt = String(formData.get('prompt')).trim()
            await requestGraphql(updateMutation, {
              input: { sessionId, runId: dialog.runId, prompt, expectedRevision: dialog.revision },
            })
          }}
        >
          <TextAreaField name="prompt" label={texts.prompt} value={dialog.prompt} rows={6} />
        </ConfirmDialog>
      )}
    </>
  )
}
