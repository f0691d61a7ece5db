/** Operator actions as a script reads, previews and performs them. */
import { mutate } from './runs.ts'
import type { Ask } from './testProgram.ts'

export interface Preview {
  readonly id: string
  readonly sequence: number
  readonly outcome: string
  readonly problem: { readonly code: string; readonly message: string } | null
  readonly statusBefore: string
  readonly statusAfter: string
  readonly terminal: boolean
  readonly tells: readonly { readonly kind: string; readonly event: string; readonly outcome: string }[]
  readonly queues: readonly {
    readonly before: { readonly slotsHeld: number }
    readonly after: { readonly slotsHeld: number }
    readonly admits: readonly string[]
  }[]
}

export interface PossibleAction {
  readonly type: string
  readonly label: string
  readonly event: string | null
  readonly requiredIds: readonly { readonly name: string; readonly kinds: readonly string[] }[]
  readonly state: string | null
  readonly effectId: string | null
  readonly preview: Preview | null
}

const previewFields = `id sequence outcome problem { code message } statusBefore statusAfter terminal
  tells { kind event outcome } queues { before { slotsHeld } after { slotsHeld } admits }`

export async function readOperatorActions(ask: Ask, id: string) {
  const { operatorActions } = await ask<{
    operatorActions: { readonly refusal: string | null; readonly actions: readonly PossibleAction[] }
  }>(
    `query ($id: ID!) { operatorActions(id: $id) {
      refusal actions { type label event requiredIds { name kinds } state effectId preview { ${previewFields} } }
    } }`,
    { id },
  )
  return operatorActions
}

export async function previewActions(ask: Ask, targets: readonly object[]): Promise<readonly Preview[]> {
  const { previewOperatorAction } = await ask<{ previewOperatorAction: readonly Preview[] }>(
    `query ($targets: [OperatorActionTarget!]!) { previewOperatorAction(targets: $targets) { ${previewFields} } }`,
    { targets },
  )
  return previewOperatorAction
}

/** @param input with the reason "it is stuck", unless it has another one */
export async function performAction(ask: Ask, input: Readonly<Record<string, unknown>>) {
  const { actor } = await mutate<{ actor: { id: string; status: string; sequence: number } }>(
    ask,
    'performOperatorAction',
    { reason: 'it is stuck', ...input },
    'actor { id status sequence }',
  )
  return actor
}

export async function readActor(ask: Ask, id: string): Promise<{ readonly status: string; readonly sequence: number }> {
  const { actor } = await ask<{ actor: { status: string; sequence: number } }>(
    'query ($id: ID!) { actor(id: $id) { status sequence } }',
    { id },
  )
  return actor
}

interface TransitionView {
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly cause: { readonly type: string; readonly reason: string | null }
  readonly principal: string
  readonly status: string
}

export async function lastTransition(ask: Ask, id: string): Promise<TransitionView | undefined> {
  const { actorHistory } = await ask<{ actorHistory: { nodes: readonly TransitionView[] } }>(
    'query ($id: ID!) { actorHistory(id: $id, last: 1) { nodes { event payload cause { type reason } principal status } } }',
    { id },
  )
  return actorHistory.nodes[0]
}
