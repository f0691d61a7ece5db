/** Actions on a run that has ended, and a link to its worktree. */
import type { EnumValue } from '../data/graphql.ts'
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { navigate } from '../router.ts'
import { useRequest } from '../state/requestStore.ts'

const retryMutation = graphql('mutation ($input: RetryRunInput!) { retryRun(input: $input) { run { id } } }')
const playMutation = graphql('mutation ($input: PlayPlanInput!) { playPlan(input: $input) { run { id } } }')

interface RunActionsProps {
  readonly run: {
    readonly id: string
    readonly kind: EnumValue<'RunKind'>
    readonly status: EnumValue<'RunStatus'>
    readonly worktree: { readonly id: string }
  }
  /** The plan of a plan run. */
  readonly planId: string | undefined
}

/** One click starts one run. Until the server has answered, a second click repeats the same request. */
const keys = createRepeatKeys()

export function RunActions({ run: { id, kind, status, worktree }, planId }: RunActionsProps) {
  const { status: requestStatus, error, send } = useRequest<void>()
  const isWorking = requestStatus === 'pending'
  const retry = async (fromFailedStep: boolean) => {
    const request = { runId: id, ...(fromFailedStep ? { fromFailedStep } : {}) }
    const { retryRun } = await requestGraphql(retryMutation, {
      input: { ...request, idempotencyKey: keys.get(request) },
    })
    navigate(`/runs/${retryRun.run.id}`)
  }
  const play = async (plan: string) => {
    const request = { planId: plan }
    const { playPlan } = await requestGraphql(playMutation, {
      input: { ...request, idempotencyKey: keys.get(request) },
    })
    navigate(`/runs/${playPlan.run.id}`)
  }
  return (
    <>
      <div class="run-actions">
        {planId !== undefined && status === 'SUCCEEDED' && (
          <button type="button" class="quiet" disabled={isWorking} onClick={() => void send(play(planId))}>
            Execute plan
          </button>
        )}
        <button type="button" class="quiet" disabled={isWorking} onClick={() => void send(retry(false))}>
          Retry run
        </button>
        {kind === 'WORKFLOW' && status === 'FAILED' && (
          <button type="button" class="quiet" disabled={isWorking} onClick={() => void send(retry(true))}>
            Retry from the failed step
          </button>
        )}
        {kind !== 'WORKFLOW' && (
          <a class="quiet" href={`/runs/new?from=${id}`}>
            Run again with changes
          </a>
        )}
        <a class="quiet" href={`/worktrees/${worktree.id}`}>
          Open worktree
        </a>
      </div>
      {error && <ErrorMessage error={error} />}
    </>
  )
}
