/** What people ask of runs: that there be one, another turn of it, another limit, an answer, an end. */

import * as v from 'valibot'
import type { ActorEvent, ActorRow } from './actor.ts'
import type { RunKind } from './blockedBy.ts'
import { boundedJson } from './boundedJson.ts'
import { idempotencyKey } from './enrollments.ts'
import { Failure } from './failure.ts'
import { frozenTools } from './frozenTools.ts'
import { everyMember } from './members.ts'
import {
  defaultTimeoutSeconds,
  firstRun,
  lineage,
  type NewRun,
  type RunToMake,
  repeatedRun,
  runByLeave,
  runEnvelope,
  runPayload,
  timeoutSeconds,
  type UsableWorktree,
  usableWorktree,
} from './newRuns.ts'
import { type MessageContext, mutation } from './operation.ts'
import { oneMessage } from './replies.ts'
import { contextOf, initOf, requireRow } from './rows.ts'
import { runObject } from './runs.ts'
import { mcpPresetIds } from './toolGrants.ts'
import { itsTurns, thatRun } from './tools/touched.ts'
import { idOf, int, json, named, text } from './types.ts'

const limit = v.pipe(
  v.nullish(v.pipe(int, v.minValue(0), v.maxValue(32))),
  v.description('0: no limit. Omitted: 0 for plans, 1 for sessions.'),
)

export const runConfiguration = named(
  'RunConfigurationInput',
  'How a run is admitted to its worktree.',
  v.object({ worktreeConcurrencyLimit: limit }),
)

const agentRunKind = named('AgentRunKind', 'What the run makes.', v.picklist(['PLAN', 'SESSION']))
type AgentRunKind = v.InferOutput<typeof agentRunKind>

const promptText = text({ min: 1, max: 200_000 })

/** A turn of a plan or a session. */
export interface Turn {
  readonly kind: AgentRunKind
  readonly ownerId: string
  readonly title: string
  readonly prompt: string | null
  readonly command: string | null
  readonly cli: string | null
  readonly conversation: string | null
}

/** What those who ask for a turn may say of how it is run. */
export interface Terms {
  readonly configuration?: v.InferOutput<typeof runConfiguration> | null | undefined
  readonly timeoutSeconds?: number | null | undefined
  readonly mcpPresetIds?: readonly string[] | null | undefined
}

export async function turnToMake(
  turn: Turn,
  terms: Terms,
  on: UsableWorktree,
  context: MessageContext,
): Promise<RunToMake> {
  const { kind, ownerId, title } = turn
  const { mcpPresetIds: presetIds = null } = terms
  const asked = { presetIds: presetIds ?? [], kind, codebaseId: on.codebaseId }
  const grant = asked.presetIds.length === 0 ? undefined : await frozenTools(asked, context)
  const seconds = terms.timeoutSeconds ?? defaultTimeoutSeconds
  const run: NewRun = {
    id: context.newId('run'),
    kind,
    title,
    ownerId,
    limit: limitFor(kind, terms.configuration?.worktreeConcurrencyLimit),
    exclusive: false,
    timeoutSeconds: seconds,
    ...workOf(turn, seconds, on),
    ...(await lineage(context)),
  }
  return { run: runEnvelope(run, on, context), grant }
}

/** What the agent is to do: speak with the coding CLI, or run a command as it is. */
function workOf(turn: Turn, seconds: number, { worktreePath }: UsableWorktree): Pick<NewRun, 'jobKind' | 'spec'> {
  const { kind, prompt, command, cli, conversation } = turn
  if (command !== null) {
    const steps = [{ name: 'command', command }]
    return { jobKind: 'COMMANDS', spec: { worktreePath, steps, timeoutSeconds: seconds } }
  }
  const spec = {
    worktreePath,
    prompt,
    mode: kind,
    timeoutSeconds: seconds,
    ...(cli === null ? {} : { cli }),
    ...(conversation === null ? {} : { conversation }),
  }
  return { jobKind: 'AI', spec }
}

const limitFor = (kind: RunKind, asked: number | null | undefined): number => asked ?? (kind === 'SESSION' ? 1 : 0)

const ownerKinds = { PLAN: 'plan', SESSION: 'session' } as const

const createAgentRun = mutation({
  name: 'createAgentRun',
  description: 'Asks for AI work, or for one command, on a worktree: the first run of a new plan or session.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Start AI work',
    description:
      'Asks for AI work on a worktree by a `prompt` for its machine’s coding CLI, or for one shell `command`. `kind: SESSION` does ' +
      'it; `kind: PLAN` makes a plan that can be read and then played. The run is QUEUED until the worktree is free: follow it ' +
      'with `get_run`, `get_run_log` and `get_run_events`, and go on with `create_run_follow_up`.',
  },
  input: v.object({
    worktreeId: idOf('worktree'),
    kind: agentRunKind,
    title: v.pipe(
      v.nullish(text({ min: 1, max: 200 })),
      v.description('The beginning of the prompt or command where omitted.'),
    ),
    prompt: v.pipe(v.nullish(promptText), v.description('What the coding CLI is to do. Either this or `command`.')),
    command: v.pipe(
      v.nullish(text({ min: 1, max: 20_000 })),
      v.description('Run by the shell in the worktree, without any AI. Either this or `prompt`.'),
    ),
    cli: v.pipe(
      v.nullish(text({ min: 1, max: 100 })),
      v.description(
        'The name of a coding CLI of the machine; its first one where omitted. `agentCliHealth` lists them.',
      ),
    ),
    configuration: v.nullish(runConfiguration),
    timeoutSeconds,
    mcpPresetIds,
    idempotencyKey,
  }),
  output: runPayload('CreateAgentRunPayload'),
  repeat: repeatedRun,
  translate: async (input, context) => {
    const { worktreeId, kind, cli = null, ...given } = input
    const prompt = given.prompt ?? null
    const command = given.command ?? null
    if ((prompt === null) === (command === null)) {
      throw new Failure('BAD_USER_INPUT', 'Give either a prompt or a command.', { details: { field: 'prompt' } })
    }
    const on = await usableWorktree(worktreeId, context)
    const owner = ownerKinds[kind]
    const ownerId = context.newId(owner)
    const title = given.title ?? titleOf(prompt ?? command ?? '')
    const turn = { kind, ownerId, title, prompt, command, cli, conversation: null }
    const run = await turnToMake(turn, given, on, context)
    const { codebaseId, agentId } = on
    const planId = kind === 'SESSION' ? { planId: null } : {}
    const create = { worktreeId, codebaseId, agentId, title, ...planId, createdAt: context.now }
    return firstRun({ to: { kind: owner, id: ownerId }, event: { type: 'create' }, create }, run, context)
  },
})

function titleOf(words: string): string {
  const [line = ''] = words.trim().split('\n')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

const createRunFollowUp = mutation({
  name: 'createRunFollowUp',
  description: 'Another turn of a plan or a session: its conversation goes on on the same worktree.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Follow up a run',
    description:
      'Another turn of the plan or session that a run belongs to: its conversation goes on on the same worktree, as a new run. ' +
      'Refused while a turn of it is under way (wait with `get_run`, or `cancel_run`) and for runs of workflows.',
    touches: itsTurns,
  },
  input: v.object({
    runId: idOf('run'),
    prompt: v.pipe(promptText, v.description('What the coding CLI is to do next.')),
    configuration: v.nullish(runConfiguration),
    timeoutSeconds,
    mcpPresetIds,
    idempotencyKey,
  }),
  output: runPayload('CreateRunFollowUpPayload'),
  repeat: repeatedRun,
  translate: async (input, context) => {
    const row = await requireRow(context.views, 'run', input.runId)
    const { kind, ownerId, worktreeId, spec } = initOf<{
      kind: RunKind
      ownerId: string
      worktreeId: string
      spec: { cli?: string }
    }>(row)
    if (kind === 'WORKFLOW') throw new Failure('FAILED_PRECONDITION', 'A workflow’s run has no follow-up.')
    const owner = await requireRow(context.views, ownerKinds[kind], ownerId)
    const { ended, conversation: latest } = await turnsOver(owner, context)
    const on = await usableWorktree(worktreeId, context)
    const conversation = latest ?? contextOf<{ conversation: string | null }>(owner).conversation
    const { prompt } = input
    const { cli = null } = spec
    const turn = { kind, ownerId, title: titleOf(prompt), prompt, command: null, cli, conversation }
    const run = await turnToMake(turn, input, on, context)
    // Of two follow-ups at once, the plan or session refuses one.
    const event = { type: 'turnAsked', runId: run.run.to.id, ended }
    return runByLeave({ to: { kind: owner.kind, id: ownerId }, event }, run, context)
  },
})

/**
 * Turns that are over though the plan or session has yet to hear of it: whoever has seen that end may ask at once. The
 * conversation goes on from where the last of them ended.
 */
async function turnsOver(owner: ActorRow, { views }: MessageContext) {
  const turns = await views.members(owner.id, 'live/', everyMember)
  const ids = turns.map(({ key }) => key.slice('live/'.length))
  const rows = await views.getMany(ids)
  const ended = ids.filter((id) => rows.get(id)?.columns.terminal === true)
  const last = ended.at(-1)
  const result = last === undefined ? undefined : (await views.members(last, 'result', 1))[0]?.value
  return { ended, conversation: (result as { conversation?: string } | undefined)?.conversation }
}

const updateRunConfiguration = mutation({
  name: 'updateRunConfiguration',
  description: 'Changes how a queued run is admitted.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Change how a run is admitted',
    description:
      'Changes how many runs of its kind may be on its worktree with a run that is still QUEUED; `get_run` says in `blockedBy` ' +
      'whether that is what it waits for.',
    idempotent: true,
    touches: thatRun,
  },
  input: v.object({ runId: idOf('run'), configuration: runConfiguration }),
  output: runPayload('UpdateRunConfigurationPayload'),
  translate: async ({ runId, configuration }, context) => {
    const row = await requireRow(context.views, 'run', runId)
    const { kind } = initOf<{ kind: RunKind }>(row)
    return toRun(runId, { type: 'configure', limit: limitFor(kind, configuration.worktreeConcurrencyLimit) })
  },
})

const answerRun = mutation({
  name: 'answerRun',
  description: 'Answers the question that a run waits for.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Answer a run',
    description:
      'Answers the question of a run that is WAITING_FOR_INPUT. `get_run` gives `questionId` and `question`; a question with ' +
      '`options` is answered with `{ "optionId": … }` of one of them, or with `{ "text": … }` in your own words. A question is ' +
      'answered once.',
    touches: thatRun,
  },
  input: v.object({
    runId: idOf('run'),
    questionId: v.pipe(text({ min: 1, max: 100 }), v.description('The run’s `questionId`.')),
    answer: v.pipe(json, v.description('`{ "optionId": … }`, one of the question’s options, or `{ "text": … }`.')),
  }),
  output: runPayload('AnswerRunPayload'),
  translate: ({ runId, questionId, answer }) =>
    toRun(runId, { type: 'answer', questionId, answer: boundedJson(answer, 'answer') }),
})

const cancelRun = mutation({
  name: 'cancelRun',
  description: 'Ends a run. Its slot stays held until its agent has confirmed that nothing of it is left.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Cancel a run',
    description:
      'Ends a run, whether it waits or works: what it has begun is asked to stop and killed after 10 s. The answer may be ' +
      'CANCELING; its slot stays held until its agent has confirmed that nothing of it is left.',
    destroys: true,
    idempotent: true,
    touches: thatRun,
  },
  input: v.object({
    runId: idOf('run'),
    reason: v.pipe(v.nullish(text({ max: 500 })), v.description('Shown as the run’s `problem`.')),
  }),
  output: runPayload('CancelRunPayload'),
  translate: ({ runId, reason }) =>
    toRun(runId, { type: 'cancel', ...(reason ? { code: 'CANCELED_BY_REQUEST', message: reason } : {}) }),
})

const toRun = (id: string, event: ActorEvent) =>
  oneMessage({ to: { kind: 'run', id }, event }, (row) => ({ run: runObject(row) }))

export const runRequestOperations = [createAgentRun, createRunFollowUp, updateRunConfiguration, answerRun, cancelRun]
