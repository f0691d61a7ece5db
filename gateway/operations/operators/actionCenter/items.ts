import type { TypedRow } from '../../../../machines/rows.ts'
import type { ActorRow } from '../../../../spec/core/actor.ts'
import { type ItemKind, itemKindNames } from '../../../../spec/operators/actionCenter/items.ts'

/** News is what matters of these; the others wait for the longer the worse. */
const newestFirst: ReadonlySet<ItemKind> = new Set(['RUN_FAILED', 'PLAN_READY'])

/** What an item is about. */
export type Subject =
  | { readonly kind: 'ACTOR_INCIDENT' | 'ACTOR_STUCK'; readonly row: ActorRow }
  | { readonly kind: 'AGENT_LOST'; readonly row: TypedRow<'agent'> }
  | { readonly kind: 'RUN_WAITING_FOR_INPUT' | 'RUN_FAILED'; readonly row: TypedRow<'run'> }
  | { readonly kind: 'PLAN_READY'; readonly row: TypedRow<'plan'> }

export type Item = Subject & {
  readonly title: string
  /** Milliseconds since 1970. */
  readonly since: number
  readonly detail: string | null
}

export interface Action {
  readonly tool: string
  /** The same in GraphQL. */
  readonly operation: string
  readonly title: string
  /** What is known of the arguments; the rest is the caller's. */
  readonly arguments: Readonly<Record<string, string | number>>
}

export function worstFirst(a: Item, b: Item): number {
  const kinds = itemKindNames.indexOf(a.kind) - itemKindNames.indexOf(b.kind)
  const time = newestFirst.has(a.kind) ? b.since - a.since : a.since - b.since
  return kinds || time || (a.row.id < b.row.id ? -1 : 1)
}

const history = ({ id }: ActorRow): Action => ({
  tool: 'get_actor_history',
  operation: 'actorHistory',
  title: 'See how it came there',
  arguments: { id, last: 20 },
})

const cancel = ({ id: runId }: ActorRow): Action => ({
  tool: 'cancel_run',
  operation: 'cancelRun',
  title: 'End it',
  arguments: { runId },
})

const operatorActions = ({ id }: ActorRow): Action => ({
  tool: 'get_operator_actions',
  operation: 'operatorActions',
  title: 'List its operator actions',
  arguments: { id },
})

const stuck = ({ kind }: ActorRow): Action => ({
  tool: 'get_stuck_actors',
  operation: 'stuckActors',
  title: 'See what it waits for and what can advance it',
  arguments: { kind },
})

function standingStill(row: ActorRow): readonly Action[] {
  const isLiveRun = row.kind === 'run' && !row.columns.terminal
  return [stuck(row), operatorActions(row), history(row), ...(isLiveRun ? [cancel(row)] : [])]
}

/** The first is what is most often right. */
export function actionsFor({ kind, row }: Item): readonly Action[] {
  const { id } = row
  switch (kind) {
    case 'ACTOR_INCIDENT':
    case 'ACTOR_STUCK':
      return standingStill(row)
    case 'AGENT_LOST':
      return [
        { tool: 'get_runs', operation: 'runs', title: 'See its runs', arguments: { agentId: id } },
        {
          tool: 'revoke_agent',
          operation: 'revokeAgent',
          title: 'Give it up, where its machine will not come back',
          arguments: { agentId: id },
        },
      ]
    case 'RUN_WAITING_FOR_INPUT': {
      const questionId = row.context.question?.id ?? ''
      return [
        { tool: 'answer_run', operation: 'answerRun', title: 'Answer it', arguments: { runId: id, questionId } },
        {
          tool: 'get_run_events',
          operation: 'runEvents',
          title: 'See what it did before',
          arguments: { runId: id, last: 20 },
        },
        cancel(row),
      ]
    }
    case 'RUN_FAILED':
      return [
        { tool: 'get_run_log', operation: 'runLog', title: 'See what it printed', arguments: { runId: id } },
        again(row),
      ]
    case 'PLAN_READY':
      return [{ tool: 'play_plan', operation: 'playPlan', title: 'Carry it out', arguments: { planId: id } }]
  }
}

function again({ id: runId, init }: TypedRow<'run'>): Action {
  const { kind, ownerId, worktreeId } = init
  return kind === 'WORKFLOW'
    ? {
        tool: 'start_workflow',
        operation: 'startWorkflow',
        title: 'Start it again',
        arguments: { workflowId: ownerId, worktreeId },
      }
    : { tool: 'create_run_follow_up', operation: 'createRunFollowUp', title: 'Follow it up', arguments: { runId } }
}
