/** The scenario of the demo, from the first start to the last query, and the facts that it records. */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { drawChart } from '../../clients/console/chart/drawChart.ts'
import { type ActiveStates, findActivePaths } from '../../clients/console/chart/findActivePaths.ts'
import { commandStep } from '../kit/program/commandStep.ts'
import { firstKey, follow, graphql } from '../kit/program/graphql.ts'
import { freePorts } from '../kit/program/ports.ts'
import { startProgram } from '../kit/program/program.ts'
import { startAgentProcess } from './agentProcess.ts'
import type { LogEnd, Seen, SeenRun } from './promises.ts'
import { makeRepository } from './repository.ts'
import { say } from './say.ts'

const work = resolve(import.meta.dirname, 'work.mjs')

interface Asked {
  readonly title: string
  readonly kind: SeenRun['kind']
  readonly exclusive: boolean
  readonly limit: number
  readonly lines: number
}

/** Mixed kinds on one worktree: sessions one at a time, plans beside them, and a workflow that wants the worktree for itself. */
const wanted: readonly Asked[] = [
  { title: 'fix-login', kind: 'SESSION', exclusive: false, limit: 1, lines: 8 },
  { title: 'plan-search', kind: 'PLAN', exclusive: false, limit: 0, lines: 6 },
  { title: 'add-tests', kind: 'SESSION', exclusive: false, limit: 1, lines: 6 },
  { title: 'release-check', kind: 'WORKFLOW', exclusive: true, limit: 0, lines: 5 },
  { title: 'tidy-docs', kind: 'SESSION', exclusive: false, limit: 1, lines: 4 },
  { title: 'plan-billing', kind: 'PLAN', exclusive: false, limit: 0, lines: 4 },
]
const pauseMs = 300

interface Following {
  readonly id: string
  readonly asked: Asked
  readonly text: string[]
  readonly sequences: number[]
  readonly hash: ReturnType<typeof createHash>
  end: LogEnd | undefined
}

export async function runScenario(folder: string): Promise<Seen> {
  const ports = await freePorts()
  const dataDir = join(folder, 'data')
  say.step('Starting Signalbox with a database of its own')
  let program = await startProgram({ dataDir, ports })
  const { url, readyAfter } = program
  say.detail(`ready at ${url} after ${Math.round(readyAfter)} ms`)
  const done = new AbortController()
  const repository = await makeRepository(folder)
  const key = await firstKey(url)
  const ask = <T>(query: string, variables: Readonly<Record<string, unknown>> = {}) =>
    graphql<T>(url, { 'X-API-Key': key }, query, variables)
  const { createEnrollmentToken } = await ask<{ createEnrollmentToken: { token: string } }>(
    'mutation { createEnrollmentToken(input: {}) { token } }',
  )
  say.step('Starting an agent in another process, with the program that Signalbox serves')
  const agent = await startAgentProcess({ url, token: createEnrollmentToken.token, folder, root: folder })
  try {
    const agentConnected = await until(async () => {
      const { agents } = await ask<{ agents: { connectionStatus: string }[] }>('{ agents { connectionStatus } }')
      return agents.some(({ connectionStatus }) => connectionStatus === 'CONNECTED') || undefined
    })
    say.detail('the agent is connected')
    const expectedWorktrees = [repository.path, repository.worktree]
    const worktrees = await until(async () => {
      const page = await ask<{ worktrees: { nodes: { id: string; path: string; branch: string | null }[] } }>(
        '{ worktrees(first: 100) { nodes { id path branch } } }',
      )
      return page.worktrees.nodes.length >= expectedWorktrees.length ? page.worktrees.nodes : undefined
    })
    for (const { path, branch } of worktrees) say.detail(`worktree ${path} on ${branch}`)
    const worktreeId = worktrees.find(({ path }) => path === repository.worktree)?.id ?? ''

    say.step(`Requesting ${wanted.length} runs on one worktree`)
    const queue: string[][] = []
    const titles = new Map<string, string>()
    void followQueue(url, key, worktreeId, titles, queue, done.signal)
    const record = join(folder, 'record.jsonl')
    const followings: Following[] = []
    const logsFollowed: Promise<void>[] = []
    for (const asked of wanted) {
      const id = await askForRun(ask, worktreeId, asked, record)
      titles.set(id, asked.title)
      const following: Following = { id, asked, text: [], sequences: [], hash: createHash('sha256'), end: undefined }
      followings.push(following)
      logsFollowed.push(followRun(url, key, following, done.signal))
    }

    await until(async () => (followings.filter(({ sequences }) => sequences.length > 1).length >= 2 ? true : undefined))
    const statuses = await statusesOf(ask, followings)
    const killedWithLive = [...statuses.values()].filter((status) => status === 'RUNNING').length
    say.step(`Killing Signalbox with SIGKILL while ${killedWithLive} runs are active`)
    await program.kill()
    await sleep(500)
    say.step('Starting it again')
    program = await startProgram({ dataDir, ports })
    say.detail(`ready again after ${Math.round(program.readyAfter)} ms`)

    await until(async () => {
      const now = await statusesOf(ask, followings)
      return [...now.values()].every((status) => terminal.has(status)) || undefined
    }, 60_000)
    await Promise.race([Promise.all(logsFollowed), sleep(10_000)])
    await until(async () => (queue.at(-1)?.length === 0 ? true : undefined), 5_000)

    const executions = await readRecord(record)
    const runs = await Promise.all(followings.map((following) => seeRun(ask, following, executions)))
    say.step('Every run has ended')
    for (const { title, status } of runs) say.detail(`${title.padEnd(18)} ${status}`)
    const shown = followings.find(({ asked }) => asked.title === 'add-tests') ?? (followings[0] as Following)
    const { history, chart } = await lookBack(ask, shown)
    return {
      readyAfter,
      agentConnected: agentConnected === true,
      worktrees: worktrees.map(({ path }) => path),
      expectedWorktrees,
      runs,
      queue,
      killedWithLive,
      answeredAfterKill: true,
      history,
      chart,
    }
  } finally {
    done.abort()
    await agent.stop()
    await program.stop()
  }
}

const terminal = new Set(['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST', 'SKIPPED'])
type Ask = <T>(query: string, variables?: Readonly<Record<string, unknown>>) => Promise<T>

async function askForRun(ask: Ask, worktreeId: string, { title, kind, exclusive, lines }: Asked, record: string) {
  const command = `node '${work}' '${record}' ${title} ${lines} ${pauseMs}`
  if (kind !== 'WORKFLOW') {
    const input = { worktreeId, kind, title, task: { command }, idempotencyKey: title }
    const made = await ask<{ createAgentRun: { run: { id: string } } }>(
      'mutation ($input: CreateAgentRunInput!) { createAgentRun(input: $input) { run { id } } }',
      { input },
    )
    return made.createAgentRun.run.id
  }
  const input = { name: title, steps: [commandStep('check', command)], exclusiveWorktree: exclusive }
  const { createWorkflow } = await ask<{ createWorkflow: { workflow: { id: string } } }>(
    'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }',
    { input },
  )
  const workflowId = createWorkflow.workflow.id
  await ask('mutation ($input: PublishWorkflowInput!) { publishWorkflow(input: $input) { workflow { id } } }', {
    input: { workflowId },
  })
  const started = await ask<{ startWorkflow: { run: { id: string } } }>(
    'mutation ($input: StartWorkflowInput!) { startWorkflow(input: $input) { run { id } } }',
    { input: { workflowId, worktreeId } },
  )
  return started.startWorkflow.run.id
}

interface QueueChange {
  readonly worktreeRunQueueChanged: {
    readonly entries: readonly {
      readonly id: string
      readonly phase: string
      readonly blockedBy: { readonly message: string }
    }[]
  }
}

/** Prints the queue whenever it has changed. */
async function followQueue(
  url: string,
  key: string,
  worktreeId: string,
  titles: ReadonlyMap<string, string>,
  queue: string[][],
  done: AbortSignal,
): Promise<void> {
  const query =
    'subscription ($worktreeId: ID!) { worktreeRunQueueChanged(worktreeId: $worktreeId) { entries { id phase blockedBy { message } } } }'
  const each = ({ worktreeRunQueueChanged: { entries } }: QueueChange) => {
    const ids = entries.map(({ id }) => id)
    if (queue.length > 0 && ids.join() === queue.at(-1)?.join()) return
    queue.push(ids)
    const names = ids.map((id) => titles.get(id) ?? '…')
    say.detail(
      `queue: ${names.length === 0 ? '(empty)' : names.join(' ← ')}${entries[0] ? `   ${entries[0].blockedBy.message}` : ''}`,
    )
  }
  await follow(url, key, query, () => ({ worktreeId }), each, done)
}

interface LogChunk {
  readonly jobLogChunkAdded: { readonly sequence: number; readonly stream: string; readonly dataBase64: string }
}

/** Waits until the run has a job, then follows its log to the end. */
async function followRun(url: string, key: string, following: Following, done: AbortSignal): Promise<void> {
  const jobId = await jobOf(url, key, following.id, done)
  const query =
    'subscription ($jobId: ID!, $after: Int) { jobLogChunkAdded(jobId: $jobId, afterSequence: $after) { sequence stream dataBase64 } }'
  let last = -1
  const each = ({ jobLogChunkAdded: { sequence, stream, dataBase64 } }: LogChunk) => {
    const data = Buffer.from(dataBase64, 'base64')
    last = sequence
    if (stream === 'END') {
      following.end = JSON.parse(data.toString()) as LogEnd
      say.log(following.asked.title, `(end of the log: ${following.end.chunks} chunks)`)
      return
    }
    following.sequences.push(sequence)
    following.hash.update(data)
    if (stream === 'STDOUT') following.text.push(data.toString())
    for (const line of data.toString().trimEnd().split('\n')) say.log(following.asked.title, line)
  }
  while (!done.aborted && following.end === undefined) {
    await follow(url, key, query, () => ({ jobId, after: last }), each, done)
  }
}

/** The workflow of the demo has one step. */
interface RunJobs {
  readonly jobId: string | null
  readonly steps?: readonly { readonly jobId: string | null }[]
}

async function jobOf(url: string, key: string, id: string, done: AbortSignal): Promise<string> {
  while (!done.aborted) {
    const { run } = await graphql<{ run: RunJobs }>(
      url,
      { 'X-API-Key': key },
      'query ($id: ID!) { run(id: $id) { jobId ... on WorkflowRun { steps { jobId } } } }',
      { id },
    ).catch((): { run: RunJobs } => ({ run: { jobId: null } }))
    const jobId = run.jobId ?? run.steps?.[0]?.jobId
    if (jobId) return jobId
    await sleep(150)
  }
  return ''
}

async function statusesOf(ask: Ask, followings: readonly Following[]): Promise<Map<string, string>> {
  const { runs } = await ask<{ runs: { nodes: { id: string; status: string }[] } }>(
    '{ runs(first: 100) { nodes { id status } } }',
  )
  const ids = new Set(followings.map(({ id }) => id))
  return new Map(runs.nodes.filter(({ id }) => ids.has(id)).map(({ id, status }) => [id, status]))
}

type Record_ = { readonly title: string; readonly began: number; readonly ended?: number }

async function readRecord(path: string): Promise<readonly Record_[]> {
  return (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record_)
}

async function seeRun(
  ask: Ask,
  { id, asked, text, sequences, hash, end }: Following,
  record: readonly Record_[],
): Promise<SeenRun> {
  const { run } = await ask<{ run: { status: string; queuedAt: string; displayNumber: number } }>(
    'query ($id: ID!) { run(id: $id) { status queuedAt displayNumber } }',
    { id },
  )
  const own = record.filter(({ title }) => title === asked.title)
  const executions = own
    .filter((line) => line.ended === undefined)
    .map(({ began }) => ({ began, ended: own.find((line) => line.began === began && line.ended)?.ended ?? began }))
  const { title, kind, exclusive, limit, lines } = asked
  return {
    id,
    title,
    kind,
    exclusive,
    limit,
    status: run.status,
    queuedAt: Date.parse(run.queuedAt),
    executions,
    log: { text: text.join(''), sequences, sha256: hash.digest('hex'), end },
    expectedLog: Array.from({ length: lines }, (_, line) => `${title}: line ${line + 1} of ${lines}\n`).join(''),
  }
}

interface HistoryStep {
  readonly sequence: number
  readonly at: string
  readonly event: string
  readonly from: ActiveStates | null
  readonly to: ActiveStates
  readonly status: string
  readonly machineHash: string
  readonly cause: { readonly type: string }
}

/** The history of one run as a timeline, and its chart from the definition that it ran. */
async function lookBack(ask: Ask, { id, asked }: Following) {
  const { actorHistory, machines } = await ask<{
    actorHistory: { nodes: HistoryStep[] }
    machines: { hash: string; definition: string }[]
  }>(
    `query ($id: ID!) {
      actorHistory(id: $id, first: 100) { nodes { sequence at event from to status machineHash cause { type } } }
      machines(kind: RUN) { hash definition }
    }`,
    { id },
  )
  const steps = [...actorHistory.nodes].sort((a, b) => a.sequence - b.sequence)
  say.step(`The history of ${asked.title} (${id})`)
  for (const { sequence, at, event, status, cause } of steps) {
    say.detail(`${String(sequence).padStart(3)}  ${at}  ${event.padEnd(16)} ${status.padEnd(12)} ${cause.type}`)
  }
  const definition = machines.find(({ hash }) => hash === steps.at(-1)?.machineHash)?.definition ?? '{}'
  const last = steps.at(-1)
  const chart = await drawChart(definition, {
    title: `Run ${asked.title}`,
    subtitle: `${id}, ${last?.status}, ${steps.length} transitions`,
    trace: {
      transitions: steps.map(({ from, to, event, at }) => ({
        from: from === null ? [] : findActivePaths(from),
        to: findActivePaths(to),
        event,
        at: Date.parse(at),
      })),
      current: last ? findActivePaths(last.to) : [],
    },
  })
  return { history: steps.map(({ sequence, from, to }) => ({ sequence, from, to })), chart }
}

async function until<T>(look: () => Promise<T | undefined>, withinMs = 20_000): Promise<T> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const found = await look().catch(() => undefined)
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(`it did not happen within ${withinMs / 1_000} s`)
    await sleep(100)
  }
}
