/** Runs as a script asks for them and looks at them. */

import type { BareAgent } from './bareAgent.ts'
import type { Credentials } from './mcp.ts'
import type { Ask, TestProgram } from './testProgram.ts'
import { patienceMs, until } from './until.ts'

export interface RunView {
  readonly id: string
  readonly kind: string
  readonly displayNumber: number
  readonly title: string
  readonly status: string
  readonly phase: string | null
  readonly jobId: string | null
  readonly questionId: string | null
  readonly question: { readonly title: string; readonly options: readonly { readonly optionId: string }[] } | null
  readonly exitCode: number | null
  readonly problem: { readonly code: string; readonly message: string } | null
  readonly worktreeConcurrencyLimit: number
  readonly blockedBy: { readonly reason: string; readonly runIds: readonly string[]; readonly message: string } | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly conversation: 'NEW' | 'RESUMED' | 'LOADED' | 'REPLAYED' | null
  readonly result: { readonly text: string | null; readonly conversationId: string | null } | null
}

export const runFields =
  'id kind displayNumber title status phase jobId questionId question { title toolCall { kind rawInput } options { optionId name kind } } exitCode problem { code message } worktreeConcurrencyLimit blockedBy { reason runIds message } startedAt endedAt conversation result { text stopReason conversationId }'

export const over: ReadonlySet<string> = new Set(['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST', 'SKIPPED'])

/** Starts a run with a `prompt` or a `command`. */
export async function startRun(
  ask: Ask,
  { prompt, command, ...input }: Readonly<Record<string, unknown>>,
): Promise<RunView> {
  const { createAgentRun } = await ask<{ createAgentRun: { run: RunView } }>(
    `mutation ($input: CreateAgentRunInput!) { createAgentRun(input: $input) { run { ${runFields} } } }`,
    { input: { kind: 'SESSION', task: prompt === undefined ? { command } : { prompt }, ...input } },
  )
  return createAgentRun.run
}

export async function lookAt(ask: Ask, id: string): Promise<RunView> {
  const { run } = await ask<{ run: RunView | null }>(`query ($id: ID!) { run(id: $id) { ${runFields} } }`, { id })
  if (run === null) throw new Error(`there is no run ${id}`)
  return run
}

/** Waits until the run has one of the statuses; fails at once if it has ended otherwise. */
export async function untilRun(
  ask: Ask,
  id: string,
  wanted: readonly string[],
  withinMs = patienceMs,
): Promise<RunView> {
  let last: RunView | undefined
  const found = await until(
    `run ${id} to be ${wanted.join(' or ')}`,
    async () => {
      last = await lookAt(ask, id)
      return wanted.includes(last.status) || over.has(last.status) ? last : undefined
    },
    withinMs,
  ).catch((error: Error) => {
    throw new Error(`${error.message}; it is ${JSON.stringify(last)}`)
  })
  if (wanted.includes(found.status)) return found
  throw new Error(`run ${id} was to be ${wanted.join(' or ')} and ended: ${JSON.stringify(found)}`)
}

/**
 * Waits until the job of an admitted run has answered: no transition of the run's own follows, which would overwrite what a test sets
 * in its row.
 */
export function untilOffered(ask: Ask, id: string): Promise<RunView> {
  return until(`run ${id} to wait for its agent`, async () => {
    const run = await lookAt(ask, id)
    return run.status === 'ADMITTED' && run.jobId !== null ? run : undefined
  })
}

export async function mutate<T = Record<string, unknown>>(
  ask: Ask,
  name: string,
  input: Readonly<Record<string, unknown>>,
  selection: string,
  type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`,
): Promise<T> {
  const answer = await ask<Record<string, T>>(
    `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`,
    { input },
  )
  return answer[name] as T
}

export async function makeWorkflow(ask: Ask, definition: Readonly<Record<string, unknown>>): Promise<string> {
  const { workflow } = await mutate<{ workflow: { id: string } }>(ask, 'createWorkflow', definition, 'workflow { id }')
  await mutate(ask, 'publishWorkflow', { workflowId: workflow.id }, 'workflow { status }')
  return workflow.id
}

export async function startWorkflow(ask: Ask, workflowId: string, worktreeId: string): Promise<RunView> {
  const { run } = await mutate<{ run: RunView }>(
    ask,
    'startWorkflow',
    { workflowId, worktreeId },
    `run { ${runFields} }`,
  )
  return run
}

export interface Entry {
  readonly id: string
  readonly position: number
  readonly kind: string
  readonly phase: string
  readonly exclusiveWorktree: boolean
  readonly blockedBy: { readonly reason: string; readonly runIds: readonly string[]; readonly message: string }
}

export async function queueOf(ask: Ask, worktreeId: string): Promise<readonly Entry[]> {
  const { worktreeRunQueue } = await ask<{ worktreeRunQueue: readonly Entry[] }>(
    'query ($id: ID!) { worktreeRunQueue(worktreeId: $id) { id position kind phase exclusiveWorktree blockedBy { reason runIds message } } }',
    { id: worktreeId },
  )
  return worktreeRunQueue
}

export interface ExternalChoice {
  readonly serverId: string
  readonly name: string
}

let made = 0

/** A preset of built-in tools, by their names, and of external ones. */
export async function makePreset(
  { ask }: TestProgram,
  tools: readonly (string | ExternalChoice)[],
  kind: 'PLAN' | 'SESSION' = 'SESSION',
): Promise<string> {
  const chosen = tools.map((one) =>
    typeof one === 'string' ? { source: 'BUILTIN', name: one } : { source: 'EXTERNAL', ...one },
  )
  const input = { name: `preset ${++made}`, kind, tools: chosen }
  const { preset } = await mutate<{ preset: { id: string } }>(
    ask,
    'createMcpToolPreset',
    input,
    'preset { id }',
    'McpToolPresetInput',
  )
  return preset.id
}

export interface BegunRun {
  readonly runId: string
  readonly token: Credentials
}

const jobOf = (runId: string): string => runId.replace('run_', 'job_')

export async function beginRun(
  { ask }: TestProgram,
  agent: BareAgent,
  worktreeId: string | undefined,
  mcpPresetIds: readonly string[],
): Promise<BegunRun> {
  const { id: runId } = await startRun(ask, { worktreeId, command: 'true', mcpPresetIds })
  const jobId = jobOf(runId)
  const offer = await agent.offers.first('the offer', (one) => one.signal === 'OFFER' && one.jobId === jobId)
  const accepted = { jobId, attempt: offer.attempt }
  const { runToken } = await agent.say<{ runToken: string }>('acceptJob', accepted, 'runToken')
  return { runId, token: { authorization: `Bearer ${runToken}` } }
}

/** Of no log at all. */
const logSha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

export async function endRun({ ask }: TestProgram, agent: BareAgent, runId: string): Promise<void> {
  const report = { outcome: 'SUCCEEDED', exitCode: 0, processesLeft: 0, logChunks: 0, logSha256 }
  await agent.say('completeJob', { jobId: jobOf(runId), attempt: 1, ...report })
  await untilRun(ask, runId, ['SUCCEEDED'])
}
