import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildSchema, graphql } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import * as v from 'valibot'
import { type WebSocket, WebSocketServer } from 'ws'
import type {
  CodebaseReport,
  ConnectInput,
  HeartbeatInput,
  JobKind,
  JobOffer,
} from '../../../../clients/agent/operations.ts'
import { agentRevokedReason } from '../../../../spec/agents/agentRevoked.ts'
import { appendJobLog, appendRunEvents } from '../../../../spec/agents/jobLogs.ts'
import { failure } from './failure.ts'
import { FakeJob } from './fakeJob.ts'
import { Queue } from './queue.ts'

export interface ReportedSkill {
  skillId: string
  version: number
  sha256: string
  problem: string | null
}

interface Named {
  epoch: number
  jobId: string
  attempt: number
}
type Arguments = { input: Record<string, never> & Named }

/**
 * A small control plane in memory, as strict as the real one where the agent must not be sloppy: epochs, one enrollment a token,
 * log chunks that must not change between resends.
 */
export class ControlPlane {
  readonly jobs = new Map<string, FakeJob>()
  readonly heartbeats: HeartbeatInput[] = []
  readonly connects: ConnectInput[] = []
  readonly codebases = new Map<string, CodebaseReport>()
  /** The idempotency keys of the enrollments, by token. */
  readonly enrollments = new Map<string, string[]>()
  readonly tokens = new Set(['enroll_test0000000000000000'])
  readonly credentials = new Set<string>()
  /** The credentials of revoked agents. */
  readonly revoked = new Set<string>()
  /** The ID of the agent that has enrolled last. */
  agentId = 'agt_0'
  /** Runs at each enrollment, after the token was accepted. */
  onEnroll: () => Promise<void> | void = () => {}
  epoch = 0
  heartbeatSeconds = 1
  /** Attempts that the next heartbeat's answer asks to stop. */
  readonly stops: { jobId: string; attempt: number }[] = []
  /** The skills that the agent has reported last. */
  skills: ReportedSkill[] = []
  /** The skills that no new run needs. */
  readonly outOfScope = new Set<string>()
  /** The bytes of skills, by the path of their address. */
  readonly archives = new Map<string, Uint8Array>()
  /** The downloads of skills, by the path of their address. */
  readonly downloads: string[] = []
  /** Runs at each append, before it is stored. */
  onAppend: (job: FakeJob) => void = () => {}
  /** How long it stores events, ms. */
  eventsMs = 0
  /** The address of the run's tools; null if the job does not belong to a run. */
  mcpUrl: string | null | undefined
  rotations = 0
  refuseRotated = false
  private readonly sockets = new Set<WebSocket>()
  private readonly http: Server
  private offers: Queue<JobOffer> | undefined
  private count = 0
  private enrollCount = 0

  private constructor() {
    this.http = createServer((request, response) => void this.answer(request, response))
    const server = new WebSocketServer({ server: this.http, path: '/graphql' })
    server.on('connection', (socket) => {
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
    })
    useServer(
      {
        schema,
        roots: {
          mutation: this.root(),
          subscription: {
            agentJobOffered: ({ epoch }: { epoch: number }) => {
              this.checkEpoch(epoch)
              this.offers = new Queue<JobOffer>()
              return this.offers.map((agentJobOffered) => ({ agentJobOffered }))
            },
          },
        },
        onConnect: ({ connectionParams, extra }) => {
          const given = String(connectionParams?.authorization ?? '').replace(/^Bearer /, '')
          if (this.credentials.has(given)) return true
          extra.socket.close(4401, this.revoked.has(given) ? agentRevokedReason : 'Unauthorized')
          return undefined as never
        },
      },
      server,
    )
  }

  static async start(): Promise<ControlPlane> {
    const plane = new ControlPlane()
    await plane.listen(0)
    return plane
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get connected(): boolean {
    return this.sockets.size > 0 && this.offers !== undefined
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve) => this.http.listen(port, '127.0.0.1', () => resolve()))
  }

  /** Every socket breaks without a close frame, as when a cable is pulled. */
  breakConnections(): void {
    this.offers = undefined
    for (const socket of this.sockets) socket.terminate()
  }

  closeConnections(code: number, reason: string): void {
    this.offers = undefined
    for (const socket of this.sockets) socket.close(code, reason)
  }

  async close(): Promise<void> {
    this.breakConnections()
    this.http.closeAllConnections()
    await new Promise((resolve) => this.http.close(resolve))
  }

  add(kind: JobKind, spec: unknown): FakeJob {
    this.count += 1
    // Unique on the machine, since processes are found by it: tests run side by side.
    const job = new FakeJob(`job_${randomBytes(6).toString('hex')}_${this.count}`, kind, spec)
    this.jobs.set(job.id, job)
    return job
  }

  /** Makes a job and offers it. */
  offer(kind: JobKind, spec: unknown): FakeJob {
    const job = this.add(kind, spec)
    this.signal(job, 'OFFER')
    return job
  }

  signal(job: FakeJob, signal: JobOffer['signal'], more: Partial<JobOffer> = {}): void {
    const nothing = { deadline: null, graceSeconds: null, answerId: null, answer: null }
    this.offers?.push({ signal, jobId: job.id, attempt: job.attempt, kind: job.kind, ...nothing, ...more })
  }

  private checkEpoch(epoch: number): void {
    if (epoch !== this.epoch) throw failure('STALE_EPOCH', 'A newer connection of this agent took over.')
  }

  /** @param isEnd whether it is the end of the job. That of a LOST job is taken too, because it has the number of processes that are left */
  private jobOf({ jobId, attempt }: Named, isEnd: boolean): FakeJob {
    const job = this.jobs.get(jobId)
    if (!job || job.attempt !== attempt || (job.state === 'LOST' && !isEnd))
      throw failure('FAILED_PRECONDITION', 'Not yours.')
    return job
  }

  private root() {
    const withJob =
      (act: (job: FakeJob, input: never) => unknown, isEnd = false) =>
      ({ input }: Arguments) => {
        this.checkEpoch(input.epoch)
        return act(this.jobOf(input, isEnd), input as never)
      }
    const receipt = (job: FakeJob) => ({ jobId: job.id, attempt: job.attempt, status: job.state })
    return {
      agentConnect: ({ input }: { input: ConnectInput }) => {
        this.connects.push(input)
        this.offers = undefined
        this.epoch += 1
        return {
          agentId: this.agentId,
          epoch: this.epoch,
          heartbeatSeconds: this.heartbeatSeconds,
          jobs: input.jobs.map(this.directive),
        }
      },
      agentHeartbeat: ({ input }: { input: HeartbeatInput & { epoch: number } }) => {
        this.checkEpoch(input.epoch)
        this.heartbeats.push(input)
        return { serverTime: new Date().toISOString(), stop: this.stops.splice(0) }
      },
      acceptJob: withJob((job) =>
        job.accept(this.mcpUrl === undefined ? `${this.url}/api/mcp?run=run_1` : this.mcpUrl),
      ),
      refuseJob: withJob((job, input) => receipt(job.refuse(input))),
      reportJobWaiting: withJob((job, input) => receipt(job.wait(input))),
      reportJobResumed: withJob((job, input) => receipt(job.resume(input))),
      completeJob: withJob((job, input) => receipt(job.complete(input)), true),
      appendJobLog: withJob((job, input) => {
        requireValid(appendJobLog.input, input)
        this.onAppend(job)
        return { nextSequence: job.append(input) }
      }),
      appendRunEvents: withJob(async (job, input) => {
        requireValid(appendRunEvents.input, input)
        await sleep(this.eventsMs)
        return { nextSequence: job.appendEvents(input) }
      }),
      reportCodebases: ({ input }: { input: { epoch: number; codebases: CodebaseReport[] } }) => {
        this.checkEpoch(input.epoch)
        for (const codebase of input.codebases) this.codebases.set(codebase.path, codebase)
        return { accepted: input.codebases.length, refused: [], refusedCount: 0 }
      },
      reportAgentSkills: ({ input }: { input: { epoch: number; skills: ReportedSkill[] } }) => {
        this.checkEpoch(input.epoch)
        this.skills = input.skills
        return { outOfScope: input.skills.filter(({ skillId }) => this.outOfScope.has(skillId)) }
      },
      rotateAgentCredential: ({ input }: Arguments) => {
        this.checkEpoch(input.epoch)
        this.rotations += 1
        const credential = `agent_rotated${this.rotations}00000000000000`
        if (!this.refuseRotated) this.credentials.add(credential)
        return { credential }
      },
    }
  }

  private readonly directive = ({ jobId, attempt }: { jobId: string; attempt: number }) => {
    const job = this.jobs.get(jobId)
    const action = !job || job.state === 'LOST' ? 'STOP' : job.state === 'DONE' ? 'FORGET' : 'KEEP'
    return { jobId, attempt, action, logSequence: job?.chunks.length ?? 0, eventSequence: job?.events.length ?? 0 }
  }

  /** Every credential that the agent may have is refused from now on, as that of a revoked agent. */
  revokeAgent(): void {
    for (const credential of this.credentials) this.revoked.add(credential)
    this.credentials.clear()
    this.closeConnections(4401, agentRevokedReason)
  }

  private async enroll({
    input,
  }: {
    input: { token: string; name?: string; hostname: string; idempotencyKey: string }
  }) {
    const keys = this.enrollments.get(input.token) ?? []
    keys.push(input.idempotencyKey)
    this.enrollments.set(input.token, keys)
    await this.onEnroll()
    this.credentials.clear()
    this.enrollCount += 1
    const credential = `agent_machine${this.enrollCount}00000000000000`
    this.credentials.add(credential)
    this.agentId = `agt_${[...this.enrollments.keys()].indexOf(input.token) + 1}`
    return {
      agentId: this.agentId,
      name: input.name ?? input.hostname,
      credential,
      agentWsUrl: this.url.replace('http', 'ws'),
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const archive = this.archives.get(request.url ?? '')
    if (archive) {
      this.downloads.push(request.url ?? '')
      return void response.end(archive)
    }
    const tokens = text.match(/enroll_[A-Za-z0-9_-]+/g) ?? []
    const [token] = tokens
    const keys = this.enrollments.get(token ?? '') ?? []
    const body = request.method === 'POST' && request.url === '/api/graphql' ? JSON.parse(text) : {}
    const repeated = keys.length === 0 || keys[0] === body.variables?.input?.idempotencyKey
    if (tokens.length !== 1 || !token || !this.tokens.has(token) || !repeated) {
      response.writeHead(401, { 'content-type': 'application/json' })
      return void response.end(
        JSON.stringify({ errors: [{ message: 'Not known.', extensions: { code: 'UNAUTHENTICATED' } }] }),
      )
    }
    const rootValue = { enrollAgent: this.enroll.bind(this) }
    const result = await graphql({ schema, source: body.query, variableValues: body.variables, rootValue })
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(result))
  }
}

/** Refuses what the real control plane refuses. The IDs of the jobs here have another form. */
function requireValid(declared: typeof appendJobLog.input | typeof appendRunEvents.input, input: unknown): void {
  const { success, issues } = v.safeParse(v.object({ ...declared.entries, jobId: v.string() }), input)
  if (!success) throw failure('BAD_USER_INPUT', issues.map(({ message }) => message).join(' '))
}

const schema = buildSchema(readFileSync(new URL('../../../../spec/schema.graphql', import.meta.url), 'utf8'))
