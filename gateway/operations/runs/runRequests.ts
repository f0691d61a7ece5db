import type * as v from 'valibot'
import type { CommandUse } from '../../../machines/runs/runActions.ts'
import { runMembers } from '../../../machines/runs/runKeys.ts'
import { turnMembers } from '../../../machines/work/turnKeys.ts'
import type { RunKind } from '../../../machines/worktrees/admission.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { CliOptions } from '../../../spec/runs/cliOptions.ts'
import { type agentRunKind, createAgentRun, updateRunConfiguration } from '../../../spec/runs/runRequests.ts'
import { defaultTimeoutSeconds } from '../../../spec/runs/timeLimit.ts'
import type { PinnedSkill } from '../../../spec/work/skills/runSkills.ts'
import { everyMember } from '../core/members.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'
import { resolveToolGrant } from '../tools/resolveToolGrant.ts'
import { touchRun } from '../tools/touched.ts'
import type { TypedViews } from '../typedViews.ts'
import { pinSkills } from '../work/skills/pinSkills.ts'
import { requireAttachments } from './attachments/requireAttachments.ts'
import type { Continues } from './formerTurns.ts'
import {
  createOwnerWithRun,
  lineage,
  type NewRun,
  type RunToCreate,
  repeatedRun,
  runEnvelope,
  type UsableWorktree,
  usableWorktree,
} from './newRuns.ts'
import { type RunConfiguration, refuseCliOptions, toCliOptionChanges, toCliOptions } from './runConfiguration.ts'
import { toRun } from './runControls.ts'

type AgentRunKind = v.InferOutput<typeof agentRunKind>

/** The work of a run: a prompt for a coding CLI, or a shell command. */
export interface Task {
  readonly prompt: string | null
  readonly command: string | null
  /** The environment variables of the shell command. */
  readonly env?: Readonly<Record<string, string>>
  readonly cli: string | null
}

/** A turn of a plan or a session. */
export interface Turn extends Task {
  readonly kind: AgentRunKind
  readonly ownerId: string
  readonly title: string
  /** Undefined unless a command creates the turn. */
  readonly ofCommand?: CommandUse
  /** The options of the coding CLI that the run has unless its configuration sets others. */
  readonly options?: CliOptions
  /** Undefined for the first turn. */
  readonly continues?: Continues
}

/** The options of a session or plan run that a request may set. */
export interface Terms {
  readonly configuration?: RunConfiguration | null | undefined
  readonly timeoutSeconds?: number | null | undefined
  readonly mcpPresetIds?: readonly string[] | null | undefined
  readonly attachmentIds?: readonly string[] | null | undefined
}

export async function turnToMake(
  turn: Turn,
  terms: Terms,
  on: UsableWorktree,
  context: RequestContext<'views' | 'tools' | 'externalTools' | 'ids'>,
): Promise<RunToCreate> {
  const { kind, ownerId, title, ofCommand } = turn
  const { mcpPresetIds: presetIds = null } = terms
  const asked = { presetIds: presetIds ?? [], kind, codebaseId: on.codebaseId }
  const grant = asked.presetIds.length === 0 ? undefined : await resolveToolGrant(asked, context)
  const seconds = terms.timeoutSeconds ?? defaultTimeoutSeconds
  const options = { ...turn.options, ...toCliOptions(terms.configuration) }
  const attachmentIds = await requireAttachments(terms.attachmentIds, context, turn.continues && ownerId)
  const skills = turn.command === null ? await pinSkills(on.codebaseId, context.views) : []
  const run: NewRun = {
    id: context.ids.newId('run'),
    kind,
    title,
    ownerId,
    limit: limitFor(kind, terms.configuration?.worktreeConcurrencyLimit),
    exclusive: false,
    timeoutSeconds: seconds,
    ...(ofCommand === undefined ? {} : { ofCommand }),
    hasTools: grant !== undefined,
    ...workOf({ ...turn, options, attachmentIds, skills }, seconds, on),
    ...(await lineage(context)),
  }
  return { run: runEnvelope(run, on, context), grant }
}

/** The work of the agent: a conversation with the coding CLI, or one command. */
function workOf(
  turn: Turn & { readonly attachmentIds: readonly string[]; readonly skills: readonly PinnedSkill[] },
  seconds: number,
  { worktreePath }: UsableWorktree,
): Pick<NewRun, 'jobKind' | 'spec'> {
  const { kind, prompt, command, env, cli, options = {}, continues, attachmentIds, skills } = turn
  if (command !== null) {
    refuseCliOptions(options)
    if (cli !== null)
      throw new Failure('BAD_USER_INPUT', 'cli: a command has no coding CLI. Leave it out, or give a prompt.', {
        details: { field: 'cli' },
      })
    if (attachmentIds.length > 0)
      throw new Failure('BAD_USER_INPUT', 'attachmentIds: a command has no coding CLI. Leave them out.', {
        details: { field: 'attachmentIds' },
      })
    const steps = [{ name: 'command', command }]
    const spec = { worktreePath, steps, ...(env === undefined ? {} : { env: { ...env } }), timeoutSeconds: seconds }
    return { jobKind: 'COMMANDS', spec }
  }
  const spec = {
    worktreePath,
    prompt,
    mode: kind,
    timeoutSeconds: seconds,
    ...(cli === null ? {} : { cli }),
    ...options,
    ...(attachmentIds.length === 0 ? {} : { attachmentIds }),
    ...(skills.length === 0 ? {} : { skills }),
    ...(continues === undefined ? {} : { continues: { ...continues } }),
  }
  return { jobKind: 'AI', spec }
}

const limitFor = (kind: RunKind, asked: number | null | undefined): number => asked ?? (kind === 'SESSION' ? 1 : 0)

export const ownerKinds = { PLAN: 'plan', SESSION: 'session' } as const

export function titleOf(words: string): string {
  const [line = ''] = words.trim().split('\n')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

/**
 * Reads a plan or session and its turns. Some have ended although the plan or session was not notified yet, so that a caller who saw the
 * end can follow up at once. The conversation continues from the end of the last turn.
 */
export async function readTurns(kind: 'plan' | 'session', ownerId: string, views: TypedViews) {
  const turns = await views.members(ownerId, turnMembers.live.prefix, everyMember)
  const ids = turns.map(({ key }) => turnMembers.live.toId(key))
  const rows = await views.getMany('run', ids)
  const ended = ids.filter((id) => rows.get(id)?.columns.terminal === true)
  const last = ended.at(-1)
  const result = last === undefined ? undefined : (await views.members(last, runMembers.result, 1))[0]?.value
  // It is read last. Otherwise the report of a turn could arrive in between, and its conversation would be in neither of the reads.
  const owner = await requireRow(views, kind, ownerId)
  return {
    owner,
    ended,
    isActive: ended.length < ids.length,
    conversation: (result as { conversation?: string } | undefined)?.conversation ?? owner.context.conversation,
  }
}

/** Creates a plan or a session, and its first run. */
export async function createFirstRun(
  first: Omit<Turn, 'ownerId' | 'options' | 'continues'>,
  terms: Terms,
  on: UsableWorktree,
  context: RequestContext<'views' | 'tools' | 'externalTools' | 'ids'>,
) {
  const { kind, title } = first
  const owner = ownerKinds[kind]
  const ownerId = context.ids.newId(owner)
  const run = await turnToMake({ ...first, ownerId }, terms, on, context)
  const { worktreeId, codebaseId, agentId } = on
  const planId = kind === 'SESSION' ? { planId: null } : {}
  const create = { worktreeId, codebaseId, agentId, title, ...planId, createdAt: context.now }
  return createOwnerWithRun({ to: { kind: owner, id: ownerId }, event: { type: 'create' }, create }, run, context)
}

export const runRequestHandlers = [
  handle(createAgentRun, ['views', 'tools', 'externalTools', 'ids'], {
    repeat: repeatedRun,
    translate: async (input, context) => {
      const { worktreeId, kind, task, cli = null, ...given } = input
      const { prompt = null, command = null } = task
      const on = await usableWorktree(worktreeId, context)
      const title = given.title ?? titleOf(prompt ?? command ?? '')
      return await createFirstRun({ kind, title, prompt, command, cli }, given, on, context)
    },
  }),
  handle(updateRunConfiguration, ['views'], {
    touches: touchRun,
    translate: async ({ runId, configuration }, context) => {
      const row = await requireRow(context.views, 'run', runId)
      const { kind, jobKind } = row.init
      const { worktreeConcurrencyLimit: limit } = configuration
      const options = toCliOptions(configuration)
      if (jobKind !== 'AI') refuseCliOptions(options)
      const changes = toCliOptionChanges(configuration)
      return toRun(runId, {
        type: 'configure',
        ...(limit === undefined ? {} : { limit: limitFor(kind, limit) }),
        ...(jobKind === 'AI' && Object.keys(changes).length > 0 ? { changes } : {}),
      })
    },
  }),
]
