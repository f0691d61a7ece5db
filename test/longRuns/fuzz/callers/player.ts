/**
 * An agent with normal behavior: it connects, reports its machine, and is offered jobs. The fuzzer chooses most of its actions on
 * jobs. If no request has accepted or ended a job after a while, the agent does it itself, so that queues progress.
 */
import { randomUUID } from 'node:crypto'
import type { Client } from 'graphql-ws'
import { once } from '../../../kit/program/socket.ts'
import type { AgentFacts, HeldJob } from './caller.ts'
import { sampleImages, sampleReadings } from './diffImages.ts'
import { bearer, type Upkeep } from './upkeep.ts'
import { connect, watchOn } from './wire.ts'

const facts = { version: '0', hostname: 'fuzzed', platform: 'linux', arch: 'x64' }
const acceptAfterMs = 1_500
const completeAfterMs = 4_000
/** A person waits for an image. The next look of the agent accepts the job, and the one after this time ends it. */
const imageAfterMs = 800
const beatMs = 5_000

export interface PlayerWorld {
  readonly upkeep: Upkeep
  readonly agentUrl: string
  /** Creates a one-time token. */
  enrollmentToken(): Promise<string>
  secret(text: string): void
  runToken(token: string): void
  /** Counts one request over a socket. */
  counted(): void
}

interface Offer {
  readonly signal: string
  readonly jobId: string
  readonly attempt: number
  readonly kind: string
}

export class Player {
  readonly facts: AgentFacts
  readonly paths: readonly string[]
  readonly #world: PlayerWorld
  #client: Client | undefined
  #stopped = false
  /** The number of images that it has read. */
  #images = 0
  readonly #timers: NodeJS.Timeout[] = []

  private constructor(world: PlayerWorld, held: AgentFacts) {
    this.#world = world
    this.facts = held
    const root = `/fuzz/${held.agentId}`
    this.paths = [root, ...Array.from({ length: 7 }, (_, n) => `${root}-${n}`)]
  }

  static async enroll(world: PlayerWorld, name: string): Promise<Player> {
    const token = await world.enrollmentToken()
    const { enrollAgent } = await world.upkeep.graphql<{ enrollAgent: { agentId: string; credential: string } }>(
      'mutation ($input: EnrollAgentInput!) { enrollAgent(input: $input) { agentId credential } }',
      { input: { token, name, ...facts } },
      {},
    )
    const { agentId, credential } = enrollAgent
    world.secret(credential)
    const player = new Player(world, { agentId, credential, epoch: 0, jobs: new Map() })
    await player.#connect()
    await player.#say('reportCodebases', { codebases: [player.#codebase()] }, 'accepted')
    player.#timers.push(setInterval(() => void player.#beat().catch(() => {}), beatMs))
    player.#timers.push(setInterval(() => void player.#catchUp().catch(() => {}), 500))
    return player
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.#client?.dispose()
  }

  #codebase() {
    const [path = '', ...others] = this.paths
    const at = (folder: string, index: number) => ({ path: folder, branch: `b${index}`, headSha: 'a'.repeat(40) })
    const lastCheckedAt = new Date().toISOString()
    const observedOrigin = 'https://github.com/acme/fuzz0.git'
    const state = { observedOrigin, branch: 'b0', syncState: 'CLEAN', availability: 'PRESENT', lastCheckedAt }
    return { path, ...state, worktrees: [path, ...others].map(at) }
  }

  async #connect(): Promise<void> {
    await this.#client?.dispose()
    const { credential } = this.facts
    this.#client = connect(this.#world.agentUrl, bearer(credential))
    this.#world.counted()
    const connected = { ...facts, clis: [], jobs: [] }
    const { epoch } = await once<{ epoch: number }>(this.#client, 'agentConnect', connected, 'epoch')
    this.facts.epoch = Math.max(this.facts.epoch, epoch)
    this.#listen()
  }

  #listen(): void {
    if (this.#client === undefined) return
    this.#world.counted()
    const query = 'subscription ($epoch: Int!) { agentJobOffered(epoch: $epoch) { signal jobId attempt kind } }'
    watchOn<Offer>(
      this.#client,
      query,
      { epoch: this.facts.epoch },
      (offer) => this.#offered(offer),
      // Another connection, or the fuzzer, has replaced its connection. It reconnects, and is then the newest again.
      () => this.#reconnect(),
    )
  }

  /** Repeated until it succeeds: an agent that sends heartbeats but receives no offers would block its jobs. */
  #reconnect(): void {
    if (!this.#stopped) setTimeout(() => void this.#connect().catch(() => this.#reconnect()), 300)
  }

  #offered({ signal, jobId, attempt, kind }: Offer): void {
    const { jobs } = this.facts
    if (signal === 'OFFER' && jobs.get(jobId)?.attempt !== attempt)
      jobs.set(jobId, {
        jobId,
        attempt,
        kind,
        since: performance.now(),
        accepted: false,
        runId: undefined,
        nextLog: 0,
        nextEvent: 0,
      })
    if (signal === 'CANCEL' || signal === 'STOP') void this.#complete(jobId, 'CANCELED').catch(() => {})
  }

  #say<T>(name: string, input: Readonly<Record<string, unknown>>, selection: string): Promise<T> {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
    const { epoch, credential } = this.facts
    return this.#world.upkeep
      .graphql<Record<string, T>>(
        `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`,
        { input: { epoch, ...input } },
        bearer(credential),
      )
      .then((data) => data[name] as T)
  }

  #beat(): Promise<unknown> {
    const jobs = [...this.facts.jobs.values()].filter(({ accepted }) => accepted)
    const refs = jobs.map(({ jobId, attempt }) => ({ jobId, attempt }))
    return this.#say('agentHeartbeat', { load: 0, freeMemoryBytes: 0, jobs: refs }, 'serverTime')
  }

  async #catchUp(): Promise<void> {
    const { jobs } = this.facts
    for (const job of [...jobs.values()]) {
      const age = performance.now() - job.since
      const isImage = job.kind === 'DIFF_IMAGE'
      if (!job.accepted && age > (isImage ? 0 : acceptAfterMs))
        await this.#accept(job.jobId).catch(() => jobs.delete(job.jobId))
      else if (age > (isImage ? imageAfterMs : completeAfterMs))
        await this.#complete(job.jobId, 'SUCCEEDED').catch(() => jobs.delete(job.jobId))
    }
  }

  async #accept(jobId: string): Promise<void> {
    const job = this.facts.jobs.get(jobId)
    if (job === undefined) return
    const { attempt } = job
    const { runToken, job: told } = await this.#say<{ runToken: string | null; job: { runId: string | null } }>(
      'acceptJob',
      { jobId, attempt },
      'runToken job { runId }',
    )
    job.accepted = true
    job.runId = told.runId ?? undefined
    if (runToken !== null) this.#world.runToken(runToken)
  }

  async #complete(jobId: string, outcome: string): Promise<void> {
    const job = this.facts.jobs.get(jobId)
    if (job === undefined) return
    const { attempt, nextLog } = job
    const result = outcome === 'SUCCEEDED' ? await this.#resultOf(job) : null
    const end = { outcome, exitCode: 0, processesLeft: 0, logChunks: nextLog, logSha256: 'c'.repeat(64), result }
    await this.#say('completeJob', { jobId, attempt, ...end }, 'status')
    this.facts.jobs.delete(jobId)
  }

  /** The result that a person waits for. Other jobs have none. */
  async #resultOf({ jobId, kind }: HeldJob): Promise<object | null> {
    const path = `/fuzz/${this.facts.agentId}-${randomUUID()}`
    if (kind === 'CREATE_WORKTREE') return { path, branch: 'made', headSha: 'b'.repeat(40) }
    if (kind !== 'DIFF_IMAGE') return null
    const reading = sampleReadings[this.#images++ % sampleReadings.length]
    for (const side of reading?.sent ?? [])
      await this.#world.upkeep.send(`/api/agent/diff-images/${jobId}?side=${side}`, sampleImages[side], {
        ...bearer(this.facts.credential),
        'x-agent-epoch': String(this.facts.epoch),
      })
    return reading?.result ?? null
  }
}
