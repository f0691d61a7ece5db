/**
 * One step of a bulk action on runs. It starts and ends when it is created, before any of its runs is changed. It keeps which runs were
 * taken, so that a repeat of the request acts on the same runs and creates the same new ones.
 */
import { setup } from 'xstate'
import type { ActorEvent } from '../../spec/core/actor.ts'
import type { BulkRunAction } from '../../spec/runs/bulkRunActions.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'

export type BulkRunActionInit = {
  readonly action: BulkRunAction
  /** In the order in which they are taken. */
  readonly runIds: readonly string[]
  /** RETRY: the ID of the new run of each. */
  readonly newRunIds: readonly string[]
  /** The number of targets that are left for later steps. */
  readonly remaining: number
  /** Identifies the request for the time in which it can be repeated. Null if it has no idempotency key. */
  readonly requestKey: string | null
  readonly requestedBy: string
  readonly createdAt: number
}

interface BulkRunActionContext extends MachineContext {
  readonly init: BulkRunActionInit
}

const machine = setup({ types: typesOf<BulkRunActionContext, ActorEvent>() }).createMachine({
  id: 'bulkRunAction',
  context: ({ input: { init } }) => ({ init }),
  initial: 'ACCEPTED',
  states: { ACCEPTED: { tags: 'terminal', meta: { label: 'Accepted' } } },
})

export const bulkRunAction = define({
  kind: 'bulkRunAction',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ context: { init } }) => ({ uniqueKey: init.requestKey ?? undefined }),
  operable: false,
})
