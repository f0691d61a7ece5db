/** The requests of the clients and their answers. The checkers compare them with the database. */

import { setTimeout as sleep } from 'node:timers/promises'

/** The surface of the control plane that a client uses. */
export type Surface =
  /** `createWorkflow` with an idempotency key, repeated until it is answered. */
  | 'create'
  /** `saveWorkflowDraft` without a key, sent once. */
  | 'save'
  /** `createWorkflow` with the key of another one: always refused. */
  | 'refused'
  /** Telemetry records over REST; those with a `recordId` are repeated until they are answered. */
  | 'telemetry'
  /** Tool calls over MCP and REST, sent once. */
  | 'tool'
  /** Chunks of an agent's log over its socket, repeated until they are answered. */
  | 'log'

export type Outcome =
  | 'acknowledged'
  | 'unavailable'
  /** Any other refusal. `code` has its code. */
  | 'refused'
  /** The connection ended before the answer. */
  | 'broken'
  /** No answer within the client's time limit. */
  | 'unanswered'

export interface Request {
  readonly surface: Surface
  /** The index of the process of the control plane. */
  readonly instance: number
  /** Part of this request and of no other one. A repeat has the token of the first try. */
  readonly token: string
  /** `performance.now()` */
  readonly sentAt: number
  endedAt: number
  outcome: Outcome
  code?: string
  /** The actor that the request is about, or that the answer names. */
  actor?: string
}

/** All requests of a slice, in the order in which they were sent. */
export class Requests {
  readonly all: Request[] = []
  readonly #tag: string
  #count = 0

  constructor(tag: string) {
    this.#tag = tag
  }

  /** Consists of letters and digits, so that the database can find it with a regular expression. */
  token(): string {
    return `${this.#tag}x${++this.#count}x`
  }

  get pattern(): string {
    return `${this.#tag}x[0-9]+x`
  }

  begin(surface: Surface, instance: number, token: string, actor?: string): Request {
    const request: Request = {
      surface,
      instance,
      token,
      sentAt: performance.now(),
      endedAt: Number.POSITIVE_INFINITY,
      outcome: 'unanswered',
      ...(actor === undefined ? {} : { actor }),
    }
    this.all.push(request)
    return request
  }
}

/** Milliseconds after which a client gives up. Longer than any answer may take. */
export const patienceMs = 14_000

/** The pause of a client after an unwanted answer, ms. */
const pauseMs = 60

/** Executes `send` and records the outcome. */
export async function recorded<T>(request: Request, send: () => Promise<T>): Promise<T | undefined> {
  try {
    const answer = await send()
    request.outcome = 'acknowledged'
    request.endedAt = performance.now()
    return answer
  } catch (error) {
    request.outcome = outcomeOf(error)
    request.code = error instanceof Refused ? error.code : error instanceof Error ? error.message : String(error)
    request.endedAt = performance.now()
    // A client does not retry at once after a failure.
    await sleep(pauseMs)
    return undefined
  }
}

/** The control plane answered with an error. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: string
  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof Refused) return error.code === 'UNAVAILABLE' ? 'unavailable' : 'refused'
  return error instanceof Unanswered ? 'unanswered' : 'broken'
}
