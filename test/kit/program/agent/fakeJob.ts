import { createHash } from 'node:crypto'
import type {
  AgentSkill,
  Attachment,
  CompleteInput,
  FormerTurns,
  JobKind,
  LogStream,
} from '../../../../clients/agent/operations.ts'
import { failure } from './failure.ts'

interface Chunk {
  sequence: number
  stream: LogStream
  dataBase64: string
}

/** The control plane's side of one job: it keeps everything that it received. */
export class FakeJob {
  readonly id: string
  readonly kind: JobKind
  readonly spec: unknown
  attempt = 1
  state: 'OFFERED' | 'RUNNING' | 'WAITING' | 'DONE' | 'LOST' = 'OFFERED'
  accepts = 0
  resent = 0
  readonly chunks: Chunk[] = []
  readonly events: { sequence: number; type: string; data: Record<string, never> }[] = []
  readonly questions: { questionId: string; question: { options: { optionId: string; kind: string }[] } }[] = []
  /** The number of events that were stored when a question arrived. */
  readonly eventsAtQuestion: number[] = []
  readonly resumed: string[] = []
  refusal: { code: string; message: string } | undefined
  completion: CompleteInput | undefined
  completions = 0
  former: FormerTurns | null = null
  attachments: Attachment[] = []
  skills: AgentSkill[] = []

  constructor(id: string, kind: JobKind, spec: unknown) {
    this.id = id
    this.kind = kind
    this.spec = spec
  }

  /** All of the log, or of one stream of it. */
  text(stream?: LogStream): string {
    return Buffer.concat(this.data(stream)).toString()
  }

  /** The SHA-256 of what has been stored. */
  get sha256(): string {
    return createHash('sha256').update(Buffer.concat(this.data())).digest('hex')
  }

  accept(mcpUrl: string | null) {
    if (this.state === 'DONE') throw failure('FAILED_PRECONDITION', 'The job is done.')
    this.accepts += 1
    this.state = 'RUNNING'
    const runId = mcpUrl === null ? null : 'run_1'
    const job = { id: this.id, attempt: this.attempt, kind: this.kind, runId, spec: this.spec }
    const { attachments, former, skills } = this
    return {
      job,
      runToken: runId && `agent_run${this.accepts}000000000000000`,
      mcpUrl,
      attachments,
      skills,
      former,
      signingAssets: [],
    }
  }

  refuse({ code, message }: { code: string; message: string }): this {
    this.refusal = { code, message }
    this.state = 'DONE'
    return this
  }

  wait(input: { questionId: string; question: { options: { optionId: string; kind: string }[] } }): this {
    this.questions.push(input)
    this.eventsAtQuestion.push(this.events.length)
    this.state = 'WAITING'
    return this
  }

  resume({ questionId }: { questionId: string }): this {
    this.resumed.push(questionId)
    this.state = 'RUNNING'
    return this
  }

  complete(input: CompleteInput): this {
    this.completions += 1
    this.completion ??= input
    this.state = 'DONE'
    return this
  }

  /** A chunk that comes again must be the same as before; one that skips others is not taken. */
  append({ chunks }: { chunks: Chunk[] }): number {
    if (this.state === 'DONE') throw failure('FAILED_PRECONDITION', 'The job is done.')
    for (const chunk of chunks) {
      const stored = this.chunks[chunk.sequence]
      if (stored) {
        this.resent += 1
        if (stored.dataBase64 !== chunk.dataBase64) throw new Error(`Chunk ${chunk.sequence} has changed.`)
      } else if (chunk.sequence === this.chunks.length) this.chunks.push(chunk)
    }
    return this.chunks.length
  }

  appendEvents({ events }: { events: { sequence: number; type: string; data: Record<string, never> }[] }): number {
    for (const event of events) if (event.sequence === this.events.length) this.events.push(event)
    return this.events.length
  }

  private data(stream?: LogStream): Buffer[] {
    const chosen = stream === undefined ? this.chunks : this.chunks.filter((chunk) => chunk.stream === stream)
    return chosen.map((chunk) => Buffer.from(chunk.dataBase64, 'base64'))
  }
}
