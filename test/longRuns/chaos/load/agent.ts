/**
 * An agent as the control plane sees it: it connects, reports a worktree, accepts offered jobs and appends their logs until the
 * slice ends. It executes no commands. An agent that accepts no offers lets the deadlines of its jobs pass instead.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openConnection } from '../../../../clients/agent/connection/connection.ts'
import { ControlPlaneError } from '../../../../clients/agent/failures.ts'
import {
  acceptJob,
  agentConnect,
  agentHeartbeat,
  agentJobOffered,
  appendJobLog,
  enrollAgent,
  type JobOffer,
  type Operation,
  reportCodebases,
} from '../../../../clients/agent/operations.ts'
import { graphql } from './http.ts'
import type { LoadContext } from './load.ts'
import { patienceMs, Refused, recorded, Unanswered } from './requests.ts'

const createRun = 'mutation ($input: CreateAgentRunInput!) { createAgentRun(input: $input) { run { id } } }'
const machine = { hostname: 'chaos', platform: 'linux', arch: 'x64', version: '0' }
const heartbeatMs = 2_000
const filler = 'z'.repeat(250)

export interface AgentOptions {
  readonly name: string
  /** The process that it connects to. */
  readonly instance: number
  /** The number of jobs that it executes at the same time. */
  readonly jobs: number
  readonly takesOffers: boolean
}

/** A log, as the agent has it. */
export interface WrittenLog {
  readonly jobId: string
  readonly attempt: number
  readonly instance: number
  /** All chunks below this sequence are acknowledged. */
  acknowledged: number
  /** Text of each chunk that was sent, by sequence. */
  readonly chunks: string[]
  over: boolean
}

export class LogAgent {
  readonly logs: WrittenLog[] = []
  /** Jobs that ended although the agent was connected all the time and had not completed them. */
  readonly takenAway: string[] = []
  readonly #context: LoadContext
  readonly #options: AgentOptions
  readonly #credential: string
  #worktreeId = ''
  #link: { readonly connection: Connection; readonly epoch: number } | undefined

  private constructor(context: LoadContext, options: AgentOptions, credential: string) {
    this.#context = context
    this.#options = options
    this.#credential = credential
  }

  /** Enrolls, connects and requests its runs. The rest continues until `done`. */
  static async start(context: LoadContext, options: AgentOptions, done: AbortSignal): Promise<LogAgent> {
    const url = context.url(options.instance)
    const { keyHeaders } = context.account
    const { createEnrollmentToken } = await graphql<{ createEnrollmentToken: { token: string } }>(
      url,
      keyHeaders,
      'mutation { createEnrollmentToken(input: {}) { token } }',
      {},
    )
    const input = { token: createEnrollmentToken.token, ...machine, name: options.name }
    const enrolled = await graphql<{ enrollAgent: { credential: string } }>(url, {}, enrollAgent.document, { input })
    const agent = new LogAgent(context, options, enrolled.enrollAgent.credential)
    context.tasks.push(agent.#stayConnected(done))
    while (agent.#link === undefined) await sleep(20)
    await agent.#reportWorktree(url)
    for (let n = 0; n < options.jobs; n++) await agent.#askForRun()
    if (!options.takesOffers) context.tasks.push(agent.#askAgain(done))
    return agent
  }

  async #stayConnected(done: AbortSignal): Promise<void> {
    while (!done.aborted) {
      try {
        await this.#oneConnection(done)
      } catch {
        // Any error is followed by another try while the slice lasts.
      }
      this.#link = undefined
      await sleep(150)
    }
  }

  async #oneConnection(done: AbortSignal): Promise<void> {
    const connection = await openConnection(this.#context.agentUrl(this.#options.instance), this.#credential)
    const end = (): void => connection.close()
    done.addEventListener('abort', end)
    let heart: NodeJS.Timeout | undefined
    try {
      const jobs = this.#live().map(({ jobId, attempt }) => ({ jobId, attempt, finished: false }))
      const answer = await ask(connection, agentConnect, { ...machine, clis: [], jobs })
      for (const { jobId, attempt, action } of answer.jobs) if (action !== 'KEEP') this.#gone(jobId, attempt)
      const { epoch } = answer
      connection.subscribe<{ agentJobOffered: JobOffer }>(agentJobOffered, { epoch }, (data) => {
        void this.#heard(data.agentJobOffered, done)
      })
      heart = setInterval(() => {
        const beat = {
          load: 0,
          freeMemoryBytes: 1e9,
          jobs: this.#live().map(({ jobId, attempt }) => ({ jobId, attempt })),
        }
        ask(connection, agentHeartbeat, { ...beat, epoch } as typeof beat).catch(() => {})
      }, heartbeatMs)
      this.#link = { connection, epoch }
      await connection.closed
    } finally {
      clearInterval(heart)
      done.removeEventListener('abort', end)
      connection.close()
    }
  }

  async #reportWorktree(url: string): Promise<void> {
    const path = `/chaos/${this.#options.name}`
    const report = { path, branch: 'main', syncState: 'CLEAN' as const, availability: 'PRESENT' as const }
    const codebase = { ...report, lastCheckedAt: new Date().toISOString(), worktrees: [{ path, branch: 'main' }] }
    const link = this.#link
    if (link === undefined) throw new Error('the agent lost its connection before the slice began')
    await ask(link.connection, reportCodebases, { codebases: [codebase], epoch: link.epoch } as never)
    const { worktrees } = await graphql<{ worktrees: { nodes: { id: string; path: string }[] } }>(
      url,
      this.#context.account.keyHeaders,
      '{ worktrees(first: 100) { nodes { id path } } }',
      {},
    )
    this.#worktreeId = worktrees.nodes.find((one) => one.path === path)?.id ?? ''
    if (this.#worktreeId === '') throw new Error('the reported worktree does not exist')
  }

  async #askForRun(): Promise<void> {
    const input = {
      worktreeId: this.#worktreeId,
      kind: 'PLAN',
      title: 'chaos',
      task: { command: 'true' },
      timeoutSeconds: 86_400,
    }
    await graphql(this.#context.url(this.#options.instance), this.#context.account.keyHeaders, createRun, { input })
  }

  /** Sets new deadlines all the time, so that timers are due after a fault. */
  async #askAgain(done: AbortSignal): Promise<void> {
    while (!done.aborted) {
      await sleep(2_000)
      await this.#askForRun().catch(() => {})
    }
  }

  async #heard(offer: JobOffer, done: AbortSignal): Promise<void> {
    const { jobId, attempt, signal } = offer
    if (!this.#options.takesOffers) return
    if (signal === 'STOP') return this.#gone(jobId, attempt)
    if (signal !== 'OFFER' || this.logs.some((log) => log.jobId === jobId && log.attempt === attempt)) return
    const { instance } = this.#options
    const log: WrittenLog = { jobId, attempt, instance, acknowledged: 0, chunks: [], over: false }
    this.logs.push(log)
    for (let tries = 0; !done.aborted && tries < 100; tries++) {
      const link = this.#link
      const taken =
        link !== undefined &&
        (await ask(link.connection, acceptJob, { jobId, attempt, epoch: link.epoch } as never).then(
          () => true,
          () => false,
        ))
      if (taken) {
        this.#context.tasks.push(this.#write(log, done))
        return
      }
      await sleep(100)
    }
    log.over = true
  }

  /** Sends one append at a time and repeats it until it is acknowledged, like the agent's program. */
  async #write(log: WrittenLog, done: AbortSignal): Promise<void> {
    const { requests, random } = this.#context
    const { jobId, attempt, instance } = log
    while (!done.aborted && !log.over) {
      const link = this.#link
      if (link === undefined) {
        await sleep(50)
        continue
      }
      if (log.chunks.length === log.acknowledged) {
        const count = random.whole(1, 6)
        for (let n = 0; n < count; n++) log.chunks.push(`${jobId}#${log.chunks.length}#${filler}`)
      }
      const chunks = log.chunks.slice(log.acknowledged).map((text, index) => ({
        sequence: log.acknowledged + index,
        stream: 'STDOUT' as const,
        dataBase64: Buffer.from(text).toString('base64'),
      }))
      const request = requests.begin('log', instance, `${jobId}:${log.acknowledged}`, jobId)
      const answer = await recorded(request, () =>
        limited(ask(link.connection, appendJobLog, { jobId, attempt, chunks, epoch: link.epoch } as never)),
      )
      if (answer !== undefined) log.acknowledged = log.chunks.length
      else if (request.code === 'FAILED_PRECONDITION' || request.code === 'NOT_FOUND') this.#gone(jobId, attempt)
      else await sleep(50)
      await sleep(random.whole(5, 40))
    }
  }

  #live(): readonly WrittenLog[] {
    return this.logs.filter(({ over }) => !over)
  }

  #gone(jobId: string, attempt: number): void {
    const log = this.logs.find((one) => one.jobId === jobId && one.attempt === attempt)
    if (log === undefined || log.over) return
    log.over = true
    this.takenAway.push(`${jobId}.${attempt}`)
    void this.#askForRun().catch(() => {})
  }
}

async function ask<I, P>(connection: Connection, operation: Operation<I, P>, input: I): Promise<P> {
  try {
    const data = await connection.request<Record<string, P>>(operation.document, { input })
    return data[operation.field] as P
  } catch (error) {
    throw error instanceof ControlPlaneError ? new Refused(error.code, error.message) : error
  }
}

async function limited<T>(answer: Promise<T>): Promise<T> {
  const late = sleep(patienceMs, undefined, { ref: false }).then(() => {
    throw new Unanswered(`no answer within ${patienceMs} ms`)
  })
  late.catch(() => {})
  return await Promise.race([answer, late])
}
