/** Continues the conversation of a run: sends a follow-up, and shows those that wait for the end of the current turn. */
import { useMemo } from 'preact/hooks'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useQuery } from '../data/useQuery.ts'
import { useSubscription } from '../data/useSubscription.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { TextAreaField } from '../parts/forms/Field.tsx'
import { FormErrors, useFormSubmission } from '../parts/forms/FormErrors.tsx'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { navigate } from '../router.ts'
import { useDialog } from '../state/dialogStore.ts'
import { useRequest } from '../state/requestStore.ts'

const followUpMutation = graphql(`mutation ($input: CreateRunFollowUpInput!) {
  createRunFollowUp(input: $input) { run { id } queuedFollowUp { runId } }
}`)
const queuedQuery = graphql(`query ($id: ID!) { session(id: $id) {
  isFollowUpQueuePaused queuedFollowUps(first: 20) { totalCount nodes { runId prompt revision } }
} }`)
const sessionSubscription = graphql(
  'subscription ($id: ID!) { actorTransitioned(of: { actor: { id: $id } }) { sequence } }',
)
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

interface FollowUpComposerProps {
  readonly runId: string
  /** Undefined for the run of a plan, whose follow-up revises the plan. */
  readonly sessionId: string | undefined
  readonly hasEnded: boolean
}

export function FollowUpComposer({ runId, sessionId, hasEnded }: FollowUpComposerProps) {
  const keys = useMemo(createRepeatKeys, [])
  const submission = useFormSubmission(
    async (formData) => {
      const request = { runId, prompt: String(formData.get('prompt')).trim() }
      const { createRunFollowUp } = await requestGraphql(followUpMutation, {
        input: { ...request, idempotencyKey: keys.get(request) },
      })
      if (createRunFollowUp.run) navigate(`/runs/${createRunFollowUp.run.id}`)
    },
    () => {},
  )
  return (
    <section class="follow-ups" aria-label="Follow-ups">
      {sessionId !== undefined && <QueuedFollowUps sessionId={sessionId} />}
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault()
          submission.submit(event.currentTarget)
        }}
      >
        <FormErrors submission={submission}>
          <TextAreaField
            name="prompt"
            label="Follow-up"
            hint={hasEnded ? 'Continues the conversation.' : 'It starts when the current turn has ended.'}
            rows={3}
          />
        </FormErrors>
        <div class="buttons">
          <button type="submit" class="primary" aria-busy={submission.isWorking}>
            Send follow-up
          </button>
        </div>
      </form>
    </section>
  )
}

function QueuedFollowUps({ sessionId }: { readonly sessionId: string }) {
  const { data, refresh } = useQuery(queuedQuery, { id: sessionId })
  // A read finds changes from the time before the subscription.
  useSubscription(sessionSubscription, { id: sessionId }, { onStart: () => void refresh(), onData: refresh })
  const { dialog, open, close } = useDialog<QueuedFollowUp>()
  const { error, send } = useRequest()
  const session = data?.session
  if (!session || session.queuedFollowUps.totalCount === 0) return null
  const { isFollowUpQueuePaused, queuedFollowUps } = session
  return (
    <>
      <ol class="queued-follow-ups" aria-label="Queued follow-ups">
        {queuedFollowUps.nodes.map((followUp) => (
          <li key={followUp.runId}>
            <span class="hint">Queued</span>
            <span class="prompt">{followUp.prompt}</span>
            <button type="button" class="quiet" onClick={() => open(followUp)}>
              Edit
            </button>
            <button
              type="button"
              class="quiet"
              onClick={() =>
                void send(requestGraphql(withdrawMutation, { input: { sessionId, runId: followUp.runId } }))
              }
            >
              Withdraw
            </button>
          </li>
        ))}
      </ol>
      {queuedFollowUps.totalCount > queuedFollowUps.nodes.length && (
        <p class="hint">
          The first {queuedFollowUps.nodes.length} of {queuedFollowUps.totalCount} are shown.
        </p>
      )}
      {isFollowUpQueuePaused && (
        <p class="note">
          The follow-ups are paused, because a turn did not succeed.{' '}
          <button
            type="button"
            class="quiet"
            onClick={() => void send(requestGraphql(resumeMutation, { id: sessionId }))}
          >
            Resume follow-ups
          </button>
        </p>
      )}
      {error && <ErrorMessage error={error} />}
      {dialog && (
        <ConfirmDialog
          title="Edit queued follow-up"
          confirmLabel="Save follow-up"
          onClose={close}
          onConfirm={async (formData) => {
            const prompt = String(formData.get('prompt')).trim()
            await requestGraphql(updateMutation, {
              input: { sessionId, runId: dialog.runId, prompt, expectedRevision: dialog.revision },
            })
          }}
        >
          <TextAreaField name="prompt" label="Prompt" value={dialog.prompt} rows={6} />
        </ConfirmDialog>
      )}
    </>
  )
}
