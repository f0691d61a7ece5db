/** The buttons that resolve an item in place, or a link to the page that resolves it. */
import type { ComponentChildren } from 'preact'
import { acknowledgeMutation } from '../apps/groups/crashGroup.ts'
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { useStartAgain } from '../runs/useStartAgain.ts'
import { useRequest } from '../state/requestStore.ts'
import type { InboxItem } from './inboxItems.ts'

const texts = messages.inbox.actions
const { actions: runTexts, steps } = messages.run
const { decisions: decisionTexts } = steps

const decideMutation = graphql(
  'mutation ($input: DecideApprovalInput!) { decideApproval(input: $input) { step { id } } }',
)

interface InboxActionsProps {
  readonly item: InboxItem
  /** More buttons, at the end of the row. */
  readonly children: ComponentChildren
  onDone(): void
}

export function InboxActions({ item: { kind, actorId, actions }, children, onDone }: InboxActionsProps) {
  const { status, error, send } = useRequest<void>()
  const { retryRun, executePlan } = useStartAgain()
  const perform = (request: Promise<unknown>) => void send(request.then(onDone))
  const decide = (decision: 'APPROVED' | 'REJECTED') =>
    perform(requestGraphql(decideMutation, { input: { stepId: actorId, decision } }))
  // The item is gone when the inbox has been read again.
  if (status === 'succeeded') return <p role="status">{texts.done}</p>
  const isBusy = status === 'pending'
  return (
    <>
      <div class="inbox-actions">
        {kind === 'RUN_FAILED' && actions.some(({ operation }) => operation === 'retryRun') && (
          <ActionButton isBusy={isBusy} onClick={() => perform(retryRun(actorId, true))}>
            {runTexts.retryFromFailedStep}
          </ActionButton>
        )}
        {kind === 'RUN_FAILED' && (
          <ActionButton isBusy={isBusy} onClick={() => perform(retryRun(actorId))}>
            {runTexts.retry}
          </ActionButton>
        )}
        {kind === 'PLAN_READY' && (
          <a class="quiet" href={`/plans/${actorId}`}>
            {texts.readPlan}
          </a>
        )}
        {kind === 'PLAN_READY' && (
          <ActionButton isBusy={isBusy} onClick={() => perform(executePlan({ planId: actorId }))}>
            {runTexts.executePlan}
          </ActionButton>
        )}
        {kind === 'STEP_WAITING_FOR_APPROVAL' && (
          <>
            <ActionButton isBusy={isBusy} onClick={() => decide('APPROVED')}>
              {decisionTexts.APPROVED}
            </ActionButton>
            <ActionButton look="danger" isBusy={isBusy} onClick={() => decide('REJECTED')}>
              {decisionTexts.REJECTED}
            </ActionButton>
          </>
        )}
        {(kind === 'CRASH_GROUP_NEW' || kind === 'CRASH_GROUP_SPIKING' || kind === 'CRASH_GROUP_REGRESSED') && (
          <ActionButton isBusy={isBusy} onClick={() => perform(requestGraphql(acknowledgeMutation, { id: actorId }))}>
            {messages.crashGroups.acknowledge}
          </ActionButton>
        )}
        {kind === 'AGENT_LOST' && (
          <a class="quiet" href={`/runs?agent=${actorId}`}>
            {texts.showRuns}
          </a>
        )}
        {(kind === 'ACTOR_STUCK' ||
          kind === 'ACTOR_INCIDENT' ||
          kind === 'SCHEDULE_REFUSED' ||
          kind === 'PUSH_REFUSED') && (
          <a class="quiet" href={`/actors/${actorId}`}>
            {texts.cause}
          </a>
        )}
        {children}
      </div>
      {error && <ErrorMessage error={error} />}
    </>
  )
}
