/** Compares an answer with the documentation: first the rules of every surface, then those of its own. */
import { failureRules } from '../../../../spec/core/failure.ts'
import { diffImageReadingMs } from '../../../../spec/worktrees/diffImages.ts'
import type { Heard } from '../http.ts'
import type { Planned } from '../make/planned.ts'
import type { Secrets } from '../secrets.ts'
import type { Subject } from '../subject.ts'
import { judgeGraphql } from './graphql.ts'
import { judgeRest } from './rest.ts'

export interface Judged {
  /** All violations. */
  readonly problems: readonly string[]
  /** The error codes in the answer. */
  readonly codes: readonly string[]
  /** The request was executed. */
  readonly succeeded: boolean
}

export interface Circumstances {
  readonly subject: Subject
  readonly secrets: Secrets
  /** The database is unavailable on purpose, or was when the request was sent. */
  readonly outage: boolean
  /** A machine that is declared slow stalls, or did a moment ago. */
  readonly stalled: boolean
  /** The most milliseconds of an answer. */
  readonly slowestMs: number
}

/** Operations whose answer waits for an agent: for how many milliseconds, and the refusals if the agent sends nothing, or other bytes. */
const agentWaits: Readonly<Record<string, { readonly ms: number; readonly refusals: RegExp }>> = {
  getDiffImage: {
    ms: diffImageReadingMs + 5_000,
    refusals: /The agent did not send the image|The bytes of the image are no longer on the server/,
  },
}

/** Checks the answer to any request. With any limits, `UNAVAILABLE` is allowed only in an outage, or if an agent is at fault. */
export function judge(planned: Planned, heard: Heard, circumstances: Circumstances): Judged {
  const problems: string[] = []
  const { status, headers, text, ms } = heard
  const wait = agentWaits[planned.target.name]
  const isAgentAtFault = wait?.refusals.test(text) ?? false
  const mayBeAway = mayBeUnavailable(circumstances, ms) || isAgentAtFault
  if (status >= 500 && !(status === 503 && mayBeAway) && status !== 502) problems.push(`status ${status}`)
  if (status === 401 && circumstances.outage && planned.allowed && planned.intent === 'right')
    problems.push('401 in an outage: a client would delete its credential')
  if (headers['x-request-id'] !== planned.requestId)
    problems.push('the answer does not have the x-request-id of its request')
  const slowestMs = circumstances.slowestMs + (wait?.ms ?? 0)
  if (ms > slowestMs && !circumstances.outage) problems.push(`the answer took more than ${slowestMs / 1_000} s`)
  const body = parsedBody(heard, planned, problems)
  if (status === 502) problems.push(...judgeCause(body, text, mayBeAway))
  problems.push(...leaks(planned, heard, circumstances.secrets))
  const judged =
    planned.target.surface === 'graphql'
      ? judgeGraphql(planned, heard, body, circumstances)
      : judgeRest(planned, heard, body, circumstances)
  problems.push(...judgeCodes(judged.codes, text, mayBeAway))
  return { ...judged, problems: [...problems, ...judged.problems] }
}

/** The machine is declared slow if more is allowed. */
export const usualPatienceMs = 5_000
const longWaitMs = 900

/** Whether the program may refuse a request as unavailable. On a machine that is declared slow, its deadlines may end a request that waited long. */
export function mayBeUnavailable({ outage, stalled, slowestMs }: Circumstances, ms: number): boolean {
  return outage || stalled || (slowestMs > usualPatienceMs && ms > longWaitMs)
}

/** If a tool fails, it reports the reason with a code that is allowed anywhere. */
function judgeCause(body: unknown, text: string, outage: boolean): readonly string[] {
  const { code, cause } = (body as { error?: { code?: string; cause?: { code?: string } } } | undefined)?.error ?? {}
  if (code !== 'TOOL_CALL_FAILED' || cause?.code === undefined)
    return [`status 502 without a cause: ${text.slice(0, 200)}`]
  return judgeCodes([cause.code], text, outage)
}

export function judgeCodes(codes: readonly string[], text: string, outage: boolean): readonly string[] {
  return codes.flatMap((code) => {
    if (!(code in failureRules)) return [`${code} is not a documented code`]
    if (code === 'INTERNAL' || code === 'INTERNAL_ERROR') return [code]
    if (code === 'UNAVAILABLE' && !outage) return [`UNAVAILABLE without an outage: ${text.slice(0, 200)}`]
    return code === 'RATE_LIMITED' ? ['RATE_LIMITED although the limits are raised'] : []
  })
}

function parsedBody({ text, headers, status }: Heard, { sent }: Planned, problems: string[]): unknown {
  const type = String(headers['content-type'] ?? '')
  if (text === '' || sent.method === 'HEAD') {
    if (status >= 400 && sent.method !== 'HEAD') problems.push(`${status} without a body`)
    return undefined
  }
  if (!type.includes('json')) {
    if (status >= 400) problems.push(`${status} as ${type || 'nothing'}`)
    return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    problems.push('the answer is not JSON')
    return undefined
  }
}

/** Operations that return a credential, once, to the caller that it is for. */
const shows: ReadonlySet<string> = new Set([
  'createEnrollmentToken',
  'enrollAgent',
  'rotateAgentCredential',
  'acceptJob',
  'signUp',
  'signIn',
  'changePassword',
  'createApiKey',
  'redeemMobileCode',
])

/** The secrets in a text. A secret that is returned for the first time, to the caller that it is for, is stored for later checks. */
export function leaksIn(text: string, { target }: Pick<Planned, 'target'>, secrets: Secrets): readonly string[] {
  const known = secrets.find(text)
  const fresh = secrets.harvest(text)
  return [
    ...(known === undefined ? [] : [`the answer shows ${known}`]),
    ...(fresh.length > 0 && !shows.has(target.name)
      ? ['the answer shows a credential that the operation must not return']
      : []),
  ]
}

function leaks(planned: Planned, { text, headers }: Heard, secrets: Secrets): readonly string[] {
  const { 'set-cookie': _, 'set-auth-token': __, location: ___, ...others } = headers
  const inHead = secrets.find(JSON.stringify(others))
  const inBody = leaksIn(text, planned, secrets)
  for (const line of [...(headers['set-cookie'] ?? []), `=${headers['set-auth-token'] ?? ''}`]) {
    const session = /=([\w-]{43})(?:;|$)/.exec(line)?.[1]
    if (session !== undefined) secrets.add(session)
  }
  return inHead === undefined ? inBody : [...inBody, `a header shows ${inHead}`]
}
