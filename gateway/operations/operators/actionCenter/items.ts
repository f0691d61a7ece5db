import type { TypedRow } from '../../../../machines/rows.ts'
import type { ActorRow } from '../../../../spec/core/actor.ts'
import { type ItemKind, itemKindNames } from '../../../../spec/operators/actionCenter/items.ts'

/** The kinds whose newest item comes first. For the others the one that has waited longest comes first. */
const newestFirst: ReadonlySet<ItemKind> = new Set(['PUSH_REFUSED', 'RUN_FAILED', 'CRASH_GROUP_NEW', 'PLAN_READY'])

/** The actor of an item, and its details. */
export type Subject =
  | { readonly kind: 'ACTOR_INCIDENT' | 'ACTOR_STUCK'; readonly row: ActorRow }
  | { readonly kind: 'AGENT_LOST'; readonly row: TypedRow<'agent'> }
  | { readonly kind: 'RUN_WAITING_FOR_INPUT' | 'RUN_FAILED'; readonly row: TypedRow<'run'> }
  | { readonly kind: 'STEP_WAITING_FOR_APPROVAL'; readonly row: TypedRow<'workflowStep'> }
  | { readonly kind: 'SCHEDULE_REFUSED'; readonly row: TypedRow<'schedule'> }
  | {
      readonly kind: 'SIGNING_ASSET_EXPIRED' | 'SIGNING_ASSET_EXPIRING'
      readonly row: TypedRow<'signingAsset'>
    }
  | {
      readonly kind: 'CRASH_GROUP_SPIKING' | 'CRASH_GROUP_REGRESSED' | 'CRASH_GROUP_NEW'
      readonly row: TypedRow<'crashGroup'>
    }
  | { readonly kind: 'PUSH_REFUSED'; readonly row: TypedRow<'pushBuild'> }
  | { readonly kind: 'PLAN_READY'; readonly row: TypedRow<'plan'> }

export type Item = Subject & {
  readonly title: string
  /** Milliseconds since 1970. */
  readonly since: number
  readonly detail: string | null
  /** A text that distinguishes it from an earlier item of the same kind and actor: the ID of the question, the time at which the agent was lost. */
  readonly cause: string
}

export interface Action {
  readonly tool: string
  /** The GraphQL operation of the action. */
  readonly operation: string
  readonly title: string
  /** The known arguments. The caller adds the others. */
  readonly arguments: Readonly<Record<string, string | number | boolean>>
}

export function worstFirst(a: Item, b: Item): number {
  const kinds = itemKindNames.indexOf(a.kind) - itemKindNames.indexOf(b.kind)
  const time = newestFirst.has(a.kind) ? b.since - a.since : a.since - b.since
  return kinds || time || (a.row.id < b.row.id ? -1 : 1)
}

const history = ({ id }: ActorRow): Action => ({
  tool: 'get_actor_history',
  operation: 'actorHistory',
  title: 'Show the history',
  arguments: { id, last: 20 },
})

const cancel = ({ id: runId }: ActorRow): Action => ({
  tool: 'cancel_run',
  operation: 'cancelRun',
  title: 'Cancel the run',
  arguments: { runId },
})

const operatorActions = ({ id }: ActorRow): Action => ({
  tool: 'get_operator_actions',
  operation: 'operatorActions',
  title: 'List the operator actions',
  arguments: { id },
})

const stuck = ({ kind }: ActorRow): Action => ({
  tool: 'get_stuck_actors',
  operation: 'stuckActors',
  title: 'Show what it waits for and what can advance it',
  arguments: { kind },
})

function actionsOfStuck(row: ActorRow): readonly Action[] {
  const isLiveRun = row.kind === 'run' && !row.columns.terminal
  return [stuck(row), operatorActions(row), history(row), ...(isLiveRun ? [cancel(row)] : [])]
}

/** Lists the actions for an item. The action that is most often right comes first. */
export function actionsFor({ kind, row }: Item): readonly Action[] {
  const { id } = row
  switch (kind) {
    case 'ACTOR_INCIDENT':
    case 'ACTOR_STUCK':
      return actionsOfStuck(row)
    case 'AGENT_LOST':
      return [
        { tool: 'get_runs', operation: 'runs', title: 'Show the runs of the agent', arguments: { agentId: id } },
        {
          tool: 'revoke_agent',
          operation: 'revokeAgent',
          title: 'Revoke the agent if its machine will not come back',
          arguments: { agentId: id },
        },
      ]
    case 'RUN_WAITING_FOR_INPUT': {
      const questionId = row.context.question?.id ?? ''
      return [
        {
          tool: 'answer_run',
          operation: 'answerRun',
          title: 'Answer the question',
          arguments: { runId: id, questionId },
        },
        {
          tool: 'get_run_events',
          operation: 'runEvents',
          title: 'Show the events before the question',
          arguments: { runId: id, last: 20 },
        },
        cancel(row),
      ]
    }
    case 'STEP_WAITING_FOR_APPROVAL': {
      const { runId } = row.init.place
      return [
        {
          tool: 'decide_approval',
          operation: 'decideApproval',
          title: 'Approve or reject the step',
          arguments: { stepId: id },
        },
        { tool: 'get_run', operation: 'run', title: 'Show the steps of the run', arguments: { id: runId } },
        { tool: 'cancel_run', operation: 'cancelRun', title: 'Cancel the run', arguments: { runId } },
      ]
    }
    case 'RUN_FAILED':
      return row.init.jobKind === 'STEPS'
        ? [
            { tool: 'get_run', operation: 'run', title: 'Show the steps', arguments: { id } },
            {
              tool: 'retry_run',
              operation: 'retryRun',
              title: 'Restart from the failed step',
              arguments: { runId: id, fromFailedStep: true },
            },
            again(row),
          ]
        : [{ tool: 'get_run_log', operation: 'runLog', title: 'Show the log', arguments: { runId: id } }, again(row)]
    case 'SCHEDULE_REFUSED':
      return [
        { tool: 'get_schedule', operation: 'schedule', title: 'Show the latest firings', arguments: { id } },
        {
          tool: 'trigger_schedule',
          operation: 'triggerSchedule',
          title: 'Start the workflow now, after the problem is solved',
          arguments: { scheduleId: id },
        },
        {
          tool: 'pause_schedule',
          operation: 'pauseSchedule',
          title: 'Pause the schedule',
          arguments: { scheduleId: id },
        },
      ]
    case 'SIGNING_ASSET_EXPIRED':
    case 'SIGNING_ASSET_EXPIRING':
      return [
        {
          tool: 'get_signing_asset',
          operation: 'signingAsset',
          title: 'Show the signing asset and the build configurations that name it. A person replaces its file',
          arguments: { id },
        },
        {
          tool: 'archive_signing_asset',
          operation: 'archiveSigningAsset',
          title: 'Archive it if nothing needs it any more',
          arguments: { signingAssetId: id },
        },
      ]
    case 'CRASH_GROUP_SPIKING':
    case 'CRASH_GROUP_REGRESSED':
    case 'CRASH_GROUP_NEW':
      return [
        {
          tool: 'get_crash_group',
          operation: 'crashGroup',
          title: 'Show the builds, the days and the latest reports',
          arguments: { id },
        },
        {
          tool: 'acknowledge_crash_group',
          operation: 'acknowledgeCrashGroup',
          title: 'Acknowledge it',
          arguments: { crashGroupId: id },
        },
        {
          tool: 'resolve_crash_group',
          operation: 'resolveCrashGroup',
          title: 'Resolve it if newer builds do not have it',
          arguments: { crashGroupId: id },
        },
      ]
    case 'PUSH_REFUSED': {
      const { buildConfigurationId, worktreeId, commit } = row.init
      return [
        {
          tool: 'start_build',
          operation: 'startBuild',
          title: 'Build the commit now, after the problem is solved',
          arguments: { buildConfigurationId, worktreeId, commit },
        },
        {
          tool: 'get_build_configuration',
          operation: 'buildConfiguration',
          title: 'Show the configuration',
          arguments: { id: buildConfigurationId },
        },
      ]
    }
    case 'PLAN_READY':
      return [{ tool: 'play_plan', operation: 'playPlan', title: 'Carry out the plan', arguments: { planId: id } }]
  }
}

function again({ id: runId, init }: TypedRow<'run'>): Action {
  const { kind, ownerId, worktreeId } = init
  return kind === 'WORKFLOW'
    ? {
        tool: 'start_workflow',
        operation: 'startWorkflow',
        title: 'Start the workflow again',
        arguments: { workflowId: ownerId, worktreeId },
      }
    : { tool: 'create_run_follow_up', operation: 'createRunFollowUp', title: 'Follow up the run', arguments: { runId } }
}
