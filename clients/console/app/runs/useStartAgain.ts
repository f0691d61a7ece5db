/** Starts runs from earlier runs and from plans. Each call returns the ID of the new run. A repeat after a lost answer starts nothing twice. */

import { useMemo } from 'preact/hooks'
import type { VariablesOf } from '../data/graphql.ts'
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'

const retryMutation = graphql('mutation ($input: RetryRunInput!) { retryRun(input: $input) { run { id } } }')
const continueMutation = graphql('mutation ($input: ContinueRunInput!) { continueRun(input: $input) { run { id } } }')
const playMutation = graphql('mutation ($input: PlayPlanInput!) { playPlan(input: $input) { run { id } } }')

type PlayPlanInput = Omit<VariablesOf<typeof playMutation>['input'], 'idempotencyKey'>

export function useStartAgain() {
  return useMemo(() => {
    const keys = createRepeatKeys()
    return {
      async retryRun(runId: string, fromFailedStep = false): Promise<string> {
        const { retryRun } = await keys.send({ retryRun: runId, fromFailedStep }, (idempotencyKey) =>
          requestGraphql(retryMutation, { input: { runId, fromFailedStep, idempotencyKey } }),
        )
        return retryRun.run.id
      },
      /** @returns undefined if the continuation waits in the queue of the session */
      async continueRun(runId: string): Promise<string | undefined> {
        const { continueRun } = await keys.send({ continueRun: runId }, (idempotencyKey) =>
          requestGraphql(continueMutation, { input: { runId, idempotencyKey } }),
        )
        return continueRun.run?.id
      },
      async executePlan(plan: PlayPlanInput): Promise<string> {
        const { playPlan } = await keys.send({ playPlan: plan }, (idempotencyKey) =>
          requestGraphql(playMutation, { input: { ...plan, idempotencyKey } }),
        )
        return playPlan.run.id
      },
    }
  }, [])
}
