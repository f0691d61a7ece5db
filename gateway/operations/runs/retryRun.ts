import type { TypedRow } from '../../../machines/rows.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { retryRun } from '../../../spec/runs/runRequests.ts'
import type { Envelope } from '../../messages.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'
import { loadGrant } from '../tools/toolGrants.ts'
import { type TouchedObjects, touchConversation } from '../tools/touched.ts'
import { endedByStart } from '../work/workflows/endedByStart.ts'
import { stepsToReuse } from '../work/workflows/stepsToReuse.ts'
import { createRunOfOwner, lineage, repeatedRunOfOwner, runEnvelope, usableWorktree } from './newRuns.ts'
import { specOf } from './runConfiguration.ts'
import { ownerKinds, readTurns } from './runRequests.ts'

/** A run of a workflow may end others by the overlap policy. A turn continues a conversation. */
export async function touchedByRetry({ runId }: { readonly runId: string }, context: Pick<RequestContext, 'views'>) {
  const { kind, ownerId, worktreeId } = (await requireRow(context.views, 'run', runId)).init
  if (kind !== 'WORKFLOW') return await touchConversation({ runId }, context)
  const { runIds = [] }: TouchedObjects = await endedByStart({ workflowId: ownerId, worktreeId }, context)
  return { runIds: [runId, ...runIds] }
}

/** The message that asks the plan, session or workflow for another run. */
async function askOwner(
  { init }: TypedRow<'run'>,
  { runId, above }: { readonly runId: string; readonly above: readonly string[] },
  context: RequestContext<'views'>,
): Promise<Omit<Envelope, 'makes' | 'create'>> {
  const { kind, ownerId: id, worktreeId } = init
  if (kind === 'WORKFLOW') {
    const { version } = (await requireRow(context.views, 'workflow', id)).context
    return { to: { kind: 'workflow', id }, event: { type: 'start', runId, worktreeId, above, version } }
  }
  const { owner, ended } = await readTurns(ownerKinds[kind], id, context.views)
  return { to: { kind: owner.kind, id }, event: { type: 'turnAsked', runId, ended, mayQueue: false } }
}

/**
 * The messages that create a run with the input of one that has ended.
 * @throws Failure NOT_FOUND, FAILED_PRECONDITION
 */
export async function translateRetry(
  { runId: retryOf, fromFailedStep }: { readonly runId: string; readonly fromFailedStep?: boolean | null | undefined },
  context: RequestContext<'views' | 'ids'>,
) {
  const former = await requireRow(context.views, 'run', retryOf)
  const { status, terminal } = former.columns
  if (!terminal)
    throw new Failure('FAILED_PRECONDITION', `The run is ${status}. Only a run that has ended can be retried.`, {
      details: { runId: retryOf, state: status },
    })
  const { init } = former
  const on = await usableWorktree(init.worktreeId, context)
  const { kind, title, ownerId, exclusive, timeoutSeconds, jobKind } = init
  const ancestors = await lineage(context)
  // The former run may itself have been restarted from a failed step.
  const { reuse: _, ...task } = specOf(former)
  const spec = { ...task, ...(fromFailedStep === true ? await stepsToReuse(former, context.views) : {}) }
  const grant = await loadGrant(retryOf, context.views)
  const runId = context.ids.newId('run')
  const run = runEnvelope(
    {
      ...{ id: runId, kind, title, ownerId, exclusive, timeoutSeconds, jobKind, retryOf, ...ancestors },
      limit: former.context.queue.limit,
      ...(init.ofCommand === undefined ? {} : { ofCommand: init.ofCommand }),
      hasTools: grant !== undefined,
      spec: { ...spec, worktreePath: on.worktreePath },
    },
    on,
    context,
  )
  const ownerMessage = await askOwner(former, { runId, above: ancestors.above }, context)
  return { former, ownerMessage, run, grant }
}

export const retryRunHandlers = [
  handle(retryRun, ['views', 'ids'], {
    touches: touchedByRetry,
    repeat: repeatedRunOfOwner,
    translate: async (input, context) => {
      const { ownerMessage, run, grant } = await translateRetry(input, context)
      return await createRunOfOwner(ownerMessage, { run, grant }, context)
    },
  }),
]
