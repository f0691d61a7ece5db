/** Mutations over GraphQL: some with an idempotency key, repeated at any process; some without, sent once. Some must be refused. */

import { setTimeout as sleep } from 'node:timers/promises'
import { commandStep } from '../../../kit/program/commandStep.ts'
import { graphql } from './http.ts'
import type { LoadContext } from './load.ts'
import { recorded } from './requests.ts'

const steps = [commandStep('one', 'true')]
/** The driver sends statements of 1 KiB and more in another way than shorter ones. */
const long = [commandStep('one', `true # ${'x'.repeat(1_200)}`)]

const createWorkflow = 'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }'
const saveDraft = 'mutation ($input: SaveWorkflowDraftInput!) { saveWorkflowDraft(input: $input) { workflow { id } } }'

interface Created {
  readonly createWorkflow: { readonly workflow: { readonly id: string } }
}

/** For how long one creation is repeated before its client gives up. */
const repeatMs = 40_000

export async function createOnce(context: LoadContext, instance: number): Promise<string | undefined> {
  const token = context.requests.token()
  const until = performance.now() + repeatMs
  for (let at = instance; performance.now() < until; at = context.other(at)) {
    const request = context.requests.begin('create', at, token)
    const answer = await recorded(request, () =>
      graphql<Created>(context.url(at), context.account.keyHeaders, createWorkflow, {
        input: { name: token, steps, idempotencyKey: token },
      }),
    )
    if (answer !== undefined) {
      request.actor = answer.createWorkflow.workflow.id
      return request.actor
    }
    if (request.outcome === 'refused') return undefined
    await sleep(100)
  }
  return undefined
}

/** Returns whether it was acknowledged. */
export async function saveOnce(context: LoadContext, instance: number, workflowId: string): Promise<boolean> {
  const token = context.requests.token()
  const request = context.requests.begin('save', instance, token, workflowId)
  const answer = await recorded(request, () =>
    graphql(context.url(instance), context.account.keyHeaders, saveDraft, {
      input: { workflowId, name: token, steps: context.random.next() < 0.5 ? long : steps },
    }),
  )
  return answer !== undefined
}

/** The same key with another input is refused, before and after any fault. */
export async function refusedOnce(context: LoadContext, instance: number, usedKey: string): Promise<void> {
  const token = context.requests.token()
  const request = context.requests.begin('refused', instance, token)
  await recorded(request, () =>
    graphql(context.url(instance), context.account.keyHeaders, createWorkflow, {
      input: { name: token, steps, idempotencyKey: usedKey },
    }),
  )
}
