/** What people ask of runs: that there be one, another turn of it, another limit, an answer, an end. */
import * as v from 'valibot'
import type { ActorRow, Json } from './actor.ts'
import { idempotencyKey } from './enrollments.ts'
import { Failure } from './failure.ts'
import { boundedJson } from './jobs.ts'
import { type Envelope, type MessageContext, mutation } from './operation.ts'
import { people, principalName } from './principal.ts'
import { rowAt } from './replies.ts'
import { contextOf, initOf, requireRow } from './rows.ts'
import { runObject, runSchema } from './runs.ts'
import { idOf, int, json, named, text } from './types.ts'

/** Seconds that a run may take where nothing else was asked, and at most. */
export const defaultTimeoutSeconds = 4 * 3_600
export const timeoutSeconds = v.nullish(v.pipe(int, v.minValue(1), v.maxValue(7 * 86_400)))

const limit = v.pipe(
  v.nullish(v.pipe(int, v.minValue(0), v.maxValue(32))),
  v.description('0: no limit. Omitted: 0 for plans, 1 for sessions.'),
)

export const runConfiguration = named(
  'RunConfigurationInput',
  'How a run is admitted to its worktree.',
  v.object({ worktreeConcurrencyLimit: limit }),
)

const prompt = text({ min: 1, max: 200_000 })

export const runPayload = (typeName: string) => named(typeName, 'The run.', v.object({ run: runSchema }))

/** A worktree on which a run can be asked for. @throws Failure NOT_FOUND, FAILED_PRECONDITION */
export async function usableWorktree(worktreeId: string, context: MessageContext) {
  const row = await requireRow(context.views, 'worktree', worktreeId)
  const { path } = contextOf<{ path: string | null }>(row)
  if (row.columns.status !== 'PRESENT' || path === null) {
    throw new Failure(
      'FAILED_PRECONDITION',
      `The worktree is ${row.columns.status}; a run needs one that is PRESENT.`,
      {
        details: { worktreeId, state: row.columns.status },
      },
    )
  }
  const { agentId, codebaseId } = initOf<{ agentId: string; codebaseId: string }>(row)
  const agent = await requireRow(context.views, 'agent', agentId)
  if (agent.columns.status === 'REVOKED') {
    throw new Failure('FAILED_PRECONDITION', 'The worktree’s agent was revoked.', { details: { agentId } })
  }
  return { worktreeId, worktreePath: path, agentId, codebaseId }
}

export type UsableWorktree = Awaited<ReturnType<typeof usableWorktree>>

/** The run that asks, and those above it. A run that a person asks for has none. */
export async function lineage(context: MessageContext): Promise<{ parentRunId: string | null; above: string[] }> {
  const { principal, views } = context
  if (principal.kind !== 'run') return { parentRunId: null, above: [] }
  const parent = await requireRow(views, 'run', principal.runId)
  const above = [...initOf<{ above: readonly string[] }>(parent).above, principal.runId]
  if (above.length > 16) throw new Failure('FAILED_PRECONDITION', 'Runs may start runs 16 levels deep.')
  return { parentRunId: principal.runId, above }
}

interface NewRun {
  readonly id: string
  readonly kind: 'PLAN' | 'SESSION' | 'WORKFLOW'
  readonly title: string
  readonly ownerId: string
  readonly limit: number
  readonly exclusive: boolean
  readonly timeoutSeconds: number
  readonly jobKind: 'AI' | 'COMMANDS'
  readonly spec: Json
  readonly parentRunId: string | null
  readonly above: readonly string[]
}

export async function runEnvelope(run: NewRun, on: UsableWorktree, context: MessageContext): Promise<Envelope> {
  const { id, ...rest } = run
  return {
    to: { kind: 'run', id },
    event: { type: 'create' },
    create: {
      ...rest,
      number: await context.nextNumber(run.kind),
      worktreeId: on.worktreeId,
      codebaseId: on.codebaseId,
      agentId: on.agentId,
      requestedBy: principalName(context.principal),
      createdAt: context.now,
    },
  }
}

interface Work {
  readonly kind: 'PLAN' | 'SESSION'
  readonly prompt: string | null
  readonly command: string | null
  readonly cli: string | null
  readonly conversation: string | null
  readonly timeoutSeconds: number
}

/** What the agent is to do: speak with the coding CLI, or run a command as it is. */
function workOf(work: Work, { worktreePath }: UsableWorktree): Pick<NewRun, 'jobKind' | 'spec'> {
  const { kind, command, cli, conversation, timeoutSeconds: seconds } = work
  if (command !== null) {
    const steps = [{ name: 'command', command }]
    return { jobKind: 'COMMANDS', spec: { worktreePath, steps, timeoutSeconds: seconds } }
  }
  const spec = {
    worktreePath,
    prompt: work.prompt,
    mode: kind,
    timeoutSeconds: seconds,
    ...(cli === null ? {} : { cli }),
    ...(conversation === null ? {} : { conversation }),
  }
  return { jobKind: 'AI', spec }
}

const limitFor = (kind: 'PLAN' | 'SESSION', asked: number | null | undefined): number =>
  asked ?? (kind === 'SESSION' ? 1 : 0)

const createAgentRun = mutation({
  name: 'createAgentRun',
  description: 'Asks for AI work, or for one command, on a worktree: the first run of a new plan or session.',
  access: people,
  input: v.object({
    worktreeId: idOf('worktree'),
    kind: named('AgentRunKind', 'What the run makes.', v.picklist(['PLAN', 'SESSION'])),
    title: v.nullish(text({ min: 1, max: 200 })),
    prompt: v.nullish(prompt),
    command: v.nullish(text({ min: 1, max: 20_000 })),
    cli: v.nullish(text({ min: 1, max: 100 })),
    configuration: v.nullish(runConfiguration),
    timeoutSeconds,
    idempotencyKey,
  }),
  output: runPayload('CreateAgentRunPayload'),
  repeat: { message: 1, answer: ({ row }) => ({ run: runObject(row) }) },
  translate: async (input, context) => {
    const asked = input.prompt ?? null
    const command = input.command ?? null
    if ((asked === null) === (command === null)) {
      throw new Failure('BAD_USER_INPUT', 'Give either a prompt or a command.', { details: { field: 'prompt' } })
    }
    const on = await usableWorktree(input.worktreeId, context)
    const { kind, cli } = input
    const seconds = input.timeoutSeconds ?? defaultTimeoutSeconds
    const owner = kind === 'PLAN' ? 'plan' : 'session'
    const ownerId = context.newId(owner)
    const title = input.title ?? titleOf(asked ?? command ?? '')
    const work = { kind, prompt: asked, command, cli: cli ?? null, conversation: null, timeoutSeconds: seconds }
    const runId = context.newId('run')
    const run = await runEnvelope(
      {
        id: runId,
        kind,
        title,
        ownerId,
        limit: limitFor(kind, input.configuration?.worktreeConcurrencyLimit),
        exclusive: false,
        timeoutSeconds: seconds,
        ...workOf(work, on),
        ...(await lineage(context)),
      },
      on,
      context,
    )
    const { worktreeId, codebaseId, agentId } = on
    const planId = kind === 'SESSION' ? { planId: null } : {}
    const create = { worktreeId, codebaseId, agentId, title, ...planId, runId, createdAt: context.now }
    return {
      // First what it is a run of: the run tells it how it stands.
      messages: [
        { to: { kind: owner, id: ownerId }, event: { type: 'create' }, create, makes: run.to },
        ([made]) => ({ ...run, to: made?.made ?? run.to, create: { ...run.create, ownerId: made?.row.id ?? ownerId } }),
      ],
      answer: (replies) => ({ run: runObject(rowAt(replies, 1)) }),
    }
  },
})

function titleOf(words: string): string {
  const [line = ''] = words.trim().split('\n')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

const createRunFollowUp = mutation({
  name: 'createRunFollowUp',
  description: 'Another turn of a plan or a session: its conversation goes on on the same worktree.',
  access: people,
  input: v.object({
    runId: idOf('run'),
    prompt,
    configuration: v.nullish(runConfiguration),
    timeoutSeconds,
    idempotencyKey,
  }),
  output: runPayload('CreateRunFollowUpPayload'),
  repeat: { message: 1, answer: ({ row }) => ({ run: runObject(row) }) },
  translate: async (input, context) => {
    const row = await requireRow(context.views, 'run', input.runId)
    const init = initOf<{
      kind: 'PLAN' | 'SESSION' | 'WORKFLOW'
      ownerId: string
      worktreeId: string
      spec: { cli?: string }
    }>(row)
    const { kind, ownerId } = init
    if (kind === 'WORKFLOW') throw new Failure('FAILED_PRECONDITION', 'A workflow’s run has no follow-up.')
    const owner = await requireRow(context.views, kind === 'PLAN' ? 'plan' : 'session', ownerId)
    const { ended, conversation: latest } = await turnsOver(owner, context)
    const on = await usableWorktree(init.worktreeId, context)
    const seconds = input.timeoutSeconds ?? defaultTimeoutSeconds
    const conversation = latest ?? contextOf<{ conversation: string | null }>(owner).conversation
    const cli = init.spec.cli ?? null
    const work = { kind, prompt: input.prompt, command: null, cli, conversation, timeoutSeconds: seconds }
    const runId = context.newId('run')
    const run = await runEnvelope(
      {
        id: runId,
        kind,
        title: titleOf(input.prompt),
        ownerId,
        limit: limitFor(kind, input.configuration?.worktreeConcurrencyLimit),
        exclusive: false,
        timeoutSeconds: seconds,
        ...workOf(work, on),
        ...(await lineage(context)),
      },
      on,
      context,
    )
    return {
      // The plan or session decides first: of two follow-ups at once, one is refused.
      messages: [
        { to: { kind: owner.kind, id: ownerId }, event: { type: 'turnAsked', runId, ended }, makes: run.to },
        ([asked]) => ({ ...run, to: asked?.made ?? run.to }),
      ],
      answer: (replies) => ({ run: runObject(rowAt(replies, 1)) }),
    }
  },
})

/**
 * Turns that are over though the plan or session has yet to hear of it: whoever has seen that end may ask at once. The
 * conversation goes on from where the last of them ended.
 */
async function turnsOver(owner: ActorRow, { views }: MessageContext) {
  const turns = await views.members(owner.id, 'live/', 100)
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
  access: people,
  input: v.object({ runId: idOf('run'), configuration: runConfiguration }),
  output: runPayload('UpdateRunConfigurationPayload'),
  translate: async ({ runId, configuration }, context) => {
    const row = await requireRow(context.views, 'run', runId)
    const { kind } = initOf<{ kind: 'PLAN' | 'SESSION' | 'WORKFLOW' }>(row)
    const asked = configuration.worktreeConcurrencyLimit
    const event = { type: 'configure', limit: kind === 'WORKFLOW' ? (asked ?? 0) : limitFor(kind, asked) }
    return toRun(runId, event)
  },
})

const answerRun = mutation({
  name: 'answerRun',
  description: 'Answers the question that a run waits for.',
  access: people,
  input: v.object({ runId: idOf('run'), questionId: text({ min: 1, max: 100 }), answer: json }),
  output: runPayload('AnswerRunPayload'),
  translate: ({ runId, questionId, answer }) =>
    toRun(runId, { type: 'answer', questionId, answer: boundedJson(answer, 'answer') }),
})

const cancelRun = mutation({
  name: 'cancelRun',
  description: 'Ends a run. Its slot stays held until its agent has confirmed that nothing of it is left.',
  access: people,
  input: v.object({ runId: idOf('run'), reason: v.nullish(text({ max: 500 })) }),
  output: runPayload('CancelRunPayload'),
  translate: ({ runId, reason }) =>
    toRun(runId, { type: 'cancel', ...(reason ? { code: 'CANCELED_BY_REQUEST', message: reason } : {}) }),
})

function toRun(runId: string, event: Envelope['event']) {
  return {
    messages: [{ to: { kind: 'run', id: runId } as const, event }],
    answer: (replies: Parameters<typeof rowAt>[0]) => ({ run: runObject(rowAt(replies)) }),
  }
}

export const runRequestOperations = [createAgentRun, createRunFollowUp, updateRunConfiguration, answerRun, cancelRun]
