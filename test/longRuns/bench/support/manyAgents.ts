/**
 * Agents as the control plane sees them, thousands in one process. Each has a raw socket from an address 127.0.0.x. It connects,
 * subscribes to its offers, sends a heartbeat every 15 s, declines offers and reconnects if it is disconnected. A process can
 * have about 19,000 sockets.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import {
  agentConnect,
  agentHeartbeat,
  agentJobOffered,
  refuseJob,
  reportCodebases,
} from '../../../../clients/agent/operations.ts'
import { clientFrame, FrameReader, opcodes, upgradeRequest } from '../../../kit/program/frames.ts'

export interface AgentsOptions {
  readonly port: number
  readonly credentials: readonly string[]
  /** The number of the first agent. The others follow. */
  readonly first: number
  /** The number of agents, from the first, that report a worktree, whose path is `/bench/<number>`. */
  readonly reporting: number
}

export interface Agents {
  /** The number of agents that are connected and subscribed to their offers. */
  connected(): number
  /** Called when an agent has received an offer: with its number and the time in milliseconds since 1970. */
  onOffer: (agent: number, at: number) => void
  /** The milliseconds from heartbeats to their answers since the last call, sorted by size. */
  beatTimes(): Promise<readonly number[]>
  stop(): void
}

type Report =
  | { readonly connected: number }
  | { readonly offered: number; readonly at: number }
  | { readonly beats: readonly number[] }
  | { readonly problem: string }

export function startAgents(options: AgentsOptions): Agents {
  const child: ChildProcess = fork(import.meta.filename, ['agents'], { execArgv: ['--no-warnings'] })
  let connected = 0
  let gotBeats: (beats: readonly number[]) => void = () => {}
  const agents: Agents = {
    connected: () => connected,
    onOffer: () => {},
    beatTimes: () =>
      new Promise((resolve) => {
        gotBeats = resolve
        child.send('beats')
      }),
    stop: () => void child.kill(),
  }
  child.on('message', (message) => {
    const report = message as Report
    if ('connected' in report) connected = report.connected
    else if ('offered' in report) agents.onOffer(report.offered, report.at)
    else if ('beats' in report) gotBeats(report.beats)
    else console.error(`an agent: ${report.problem}`)
  })
  child.send(options)
  return agents
}

const say = (report: Report): void => void process.send?.(report)
const heartbeatMs = 15_000
/** The most sockets that are opened at the same time, and the milliseconds that a refused one waits. */
const openingAtOnce = 200
const againMs = 250

let connectedNow = 0
let told = -1
let problems = 0
let beats: number[] = []
let opening = 0
const toOpen: MachineAgent[] = []

function openMore(): void {
  while (opening < openingAtOnce) {
    const agent = toOpen.shift()
    if (agent === undefined) return
    opening++
    agent.open()
  }
}

interface ServerMessage {
  readonly id?: string
  readonly type: string
  readonly payload?: {
    readonly data?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    readonly errors?: unknown
  }
}

class MachineAgent {
  readonly #number: number
  readonly #options: AgentsOptions
  readonly #credential: string
  #socket: Socket | undefined
  #epoch = 0
  #up = false
  #opening = false
  #askedAt = 0

  constructor(number: number, credential: string, options: AgentsOptions) {
    this.#number = number
    this.#credential = credential
    this.#options = options
  }

  open(): void {
    const { port } = this.#options
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (this.#number % 200)}` })
    this.#socket = socket
    this.#opening = true
    let upgraded = false
    const reader = new FrameReader(true, {
      message: (payload) => this.#message(JSON.parse(payload.toString()) as ServerMessage),
      control: (opcode, payload) => {
        if (opcode === opcodes.ping) socket.write(clientFrame(payload, opcodes.pong))
        else if (opcode === opcodes.close) socket.end()
      },
    })
    socket.on('data', (data: Buffer) => {
      if (upgraded) return reader.feed(data)
      upgraded = true
      const payload = { authorization: `Bearer ${this.#credential}` }
      this.#say({ type: 'connection_init', payload })
      reader.feed(data.subarray(data.indexOf('\r\n\r\n') + 4))
    })
    socket.on('error', () => {})
    socket.on('close', () => this.#closed())
    socket.write(upgradeRequest())
  }

  beat(): void {
    if (!this.#up) return
    this.#askedAt = performance.now()
    const input = { epoch: this.#epoch, load: 0.5, freeMemoryBytes: 8e9, jobs: [] }
    this.#ask('h', agentHeartbeat.document, { input })
  }

  #closed(): void {
    if (this.#up) connectedNow--
    this.#up = false
    this.#opened()
    setTimeout(() => {
      toOpen.push(this)
      openMore()
    }, againMs)
  }

  /** The socket is connected or closed, so another one can be opened. */
  #opened(): void {
    if (!this.#opening) return
    this.#opening = false
    opening--
    openMore()
  }

  #say(message: unknown): void {
    this.#socket?.write(clientFrame(JSON.stringify(message)))
  }

  #ask(id: string, query: string, variables: Readonly<Record<string, unknown>>): void {
    this.#say({ type: 'subscribe', id, payload: { query, variables } })
  }

  #message({ id, type, payload }: ServerMessage): void {
    if (type === 'connection_ack') {
      const facts = { version: '0.1.0', hostname: `agent-${this.#number}`, platform: 'linux', arch: 'x64' }
      const clis = [{ name: 'coder', protocol: 'ACP', version: '1.0', healthy: true }]
      this.#ask('c', agentConnect.document, { input: { ...facts, clis, jobs: [] } })
    } else if (type === 'error' || payload?.errors !== undefined) {
      if (++problems <= 20) say({ problem: `${id}: ${JSON.stringify(payload).slice(0, 300)}` })
      // A request that was refused before the agent was ready is tried again on a new connection.
      if (!this.#up) this.#socket?.destroy()
    } else if (type === 'next') this.#answer(id ?? '', payload?.data ?? {})
  }

  #answer(id: string, data: Readonly<Record<string, Readonly<Record<string, unknown>>>>): void {
    if (id === 'c') {
      this.#epoch = Number(data.agentConnect?.epoch)
      this.#ask('o', agentJobOffered, { epoch: this.#epoch })
      if (this.#number < this.#options.reporting) this.#report()
      // The start of a subscription is not confirmed. A request that is sent after it is answered after it.
      this.#askedAt = performance.now()
      this.#ask('u', agentHeartbeat.document, {
        input: { epoch: this.#epoch, load: 0.5, freeMemoryBytes: 8e9, jobs: [] },
      })
    } else if (id === 'u') {
      this.#up = true
      connectedNow++
      this.#opened()
    } else if (id === 'h') beats.push(performance.now() - this.#askedAt)
    else if (id === 'o') this.#offered(data.agentJobOffered ?? {})
  }

  #offered({ signal, jobId, attempt }: Readonly<Record<string, unknown>>): void {
    if (signal !== 'OFFER') return
    say({ offered: this.#number, at: performance.timeOrigin + performance.now() })
    const input = { epoch: this.#epoch, jobId, attempt, code: 'BENCH', message: 'a bench does no work' }
    this.#ask('r', refuseJob.document, { input })
  }

  #report(): void {
    const path = `/bench/${this.#number}`
    const codebase = {
      path,
      branch: 'main',
      syncState: 'CLEAN',
      availability: 'PRESENT',
      lastCheckedAt: new Date().toISOString(),
      worktrees: [{ path, branch: 'main' }],
    }
    this.#ask('w', reportCodebases.document, { input: { epoch: this.#epoch, codebases: [codebase] } })
  }
}

function run(options: AgentsOptions): void {
  const agents = options.credentials.map(
    (credential, index) => new MachineAgent(options.first + index, credential, options),
  )
  toOpen.push(...agents)
  openMore()
  // Each agent sends heartbeats at its own offset within the 15 s.
  const tickMs = 50
  const turns = heartbeatMs / tickMs
  let turn = 0
  setInterval(() => {
    for (let index = turn; index < agents.length; index += turns) agents[index]?.beat()
    turn = (turn + 1) % turns
    if (told !== connectedNow) {
      told = connectedNow
      say({ connected: connectedNow })
    }
  }, tickMs)
}

if (process.argv[1] === import.meta.filename)
  process.on('message', (message) => {
    if (message === 'beats') {
      say({ beats: beats.sort((a, b) => a - b) })
      beats = []
    } else run(message as AgentsOptions)
  })
process.on('disconnect', () => process.exit(0))
