/** Runs as a script asks for them and looks at them. */
import { type Ask, until } from './stage.ts'

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
  readonly result: { readonly text: string | null; readonly conversation: string | null } | null
}

export const runFields =
  'id kind displayNumber title status phase jobId questionId question { title toolCall { kind rawInput } options { optionId name kind } } exitCode problem { code message } worktreeConcurrencyLimit blockedBy { reason runIds message } startedAt endedAt result { text stopReason conversation }'

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

/** Waits until the run has one of the statuses; one that has ended otherwise is told at once. */
export async function untilRun(ask: Ask, id: string, wanted: readonly string[], withinMs = 15_000): Promise<RunView> {
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
 * Waits until the job of an admitted run has answered: no step of the run's own follows, which would write over what a test sets
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
