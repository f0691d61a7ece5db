/** The target of the attacks, and the reports of the attacks about it. */
import type { Random } from './random.ts'

export interface Credentials {
  readonly apiKey: string
  readonly agent: string
}

export interface Target {
  readonly port: number
  readonly agentPort: number
  readonly credentials: Credentials
  /** IDs of existing and of missing actors. */
  readonly ids: readonly string[]
  /** The round ends soon after this aborts. */
  readonly over: AbortSignal
  /** A violation, and the request that caused it. */
  found(what: string, request: string): void
}

export interface Attack {
  readonly name: string
  /** One round: some connections or requests, at most a few seconds. */
  run(target: Target, random: Random): Promise<void>
}

/** Documented statuses of 500 and above: 503 `UNAVAILABLE`, and the HTTP layer's answer to unsupported versions. */
const documented: ReadonlySet<number> = new Set([503, 505])

/** Searches the data of a plain connection for an answer that reports an internal error. */
export function judgeRaw(answer: string, request: string, target: Target): void {
  for (const [, status] of answer.matchAll(/HTTP\/1\.1 (\d{3})/g))
    if (Number(status) >= 500 && !documented.has(Number(status))) target.found(`status ${status}`, request)
  if (/"code":"INTERNAL/.test(answer)) target.found('INTERNAL', request)
  if (/Internal server error/.test(answer)) target.found('close code 4500', request)
}
