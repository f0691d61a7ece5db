/** Sends many requests at once. Each is chosen, built, sent and checked, and the fuzzer learns from its answer. */
import { verdict } from '../../../spec/core/principal.ts'
import type { Random } from '../soak/random.ts'
import { Random as Chance } from '../soak/random.ts'
import type { CallerKind } from './callers/caller.ts'
import type { Crew } from './callers/crew.ts'
import type { ProviderSignIns } from './callers/providerSignIns.ts'
import type { Findings } from './findings.ts'
import { curlOf, type Heard, type HttpClient, shortened, Unanswered } from './http.ts'
import { judgeResult } from './judge/graphql.ts'
import { type Circumstances, type Judged, judge, judgeCodes, leaksIn, mayBeUnavailable } from './judge/judge.ts'
import { learn } from './learn.ts'
import { getOf, postOf, strangeGraphqlRequest } from './make/graphqlHttp.ts'
import { asking } from './make/graphqlRequest.ts'
import type { HintContext } from './make/hints.ts'
import { inputFor } from './make/input.ts'
import type { Planned } from './make/planned.ts'
import { restRequest, strangeRestRequest } from './make/restRequest.ts'
import type { Pools } from './pools.ts'
import { rawProblem, sendRaw } from './raw.ts'
import type { Reach } from './reach.ts'
import type { Secrets } from './secrets.ts'
import type { Sockets } from './sockets.ts'
import type { Choice, Steer } from './steer.ts'
import type { Subject, Target } from './subject.ts'

export interface FuzzerParts {
  readonly subject: Subject
  readonly seed: number
  readonly slowestMs: number
  /** Without a slash at its end. */
  readonly origin: string
  readonly http: HttpClient
  readonly sockets: Sockets
  readonly crew: Crew
  /** Undefined if there is no identity provider. */
  readonly signIns: ProviderSignIns | undefined
  readonly pools: Pools
  readonly secrets: Secrets
  readonly reach: Reach
  readonly steer: Steer
  readonly findings: Findings
  /** Whether the database is unavailable on purpose, or was a moment ago. */
  outage(): boolean
  /** Whether a machine that is declared slow stalls, or did a moment ago. */
  isStalled(): boolean
}

/** The milliseconds within which a refused subscription gets its error. */
const quietMs = 60
const closeCodes: ReadonlySet<number> = new Set([1000, 1001, 1006, 1009, 4400, 4401, 4403, 4406, 4408, 4409, 4429])

type GraphqlTarget = Extract<Target, { readonly surface: 'graphql' }>

export class Fuzzer {
  /** Requests sent, over HTTP and sockets. */
  requests = 0
  /** Requests that were answered without an error, by operation. */
  readonly succeeded = new Map<string, number>()
  readonly codes = new Map<string, number>()
  readonly #parts: FuzzerParts

  constructor(parts: FuzzerParts) {
    this.#parts = parts
  }

  /** Sends the request with this number. Its choices depend only on the seed and the number. */
  async one(index: number): Promise<void> {
    const random = new Chance(this.#parts.seed * 1_000_003 + index)
    const choice = this.#parts.steer.choose(random)
    const caller = await this.#parts.crew.take(choice.kind, random)
    if (caller.kind === 'enrollment') await this.#stockTokens()
    const { pools, secrets, origin, crew, signIns } = this.#parts
    const context: HintContext = { random, pools, secrets, origin, caller, accounts: crew.accounts, signIns }
    const requestId = `fz-${index}`
    this.requests++
    const { target } = choice
    if (target.surface === 'rest') return await this.#rest({ ...choice, target }, context, requestId)
    if (overSocket(target, random)) return await this.#socket({ ...choice, target }, context)
    await this.#graphql({ ...choice, target }, context, requestId)
  }

  async #stockTokens(): Promise<void> {
    const { pools, crew } = this.#parts
    if (pools.enrollmentTokens.length < 3) pools.enrollmentTokens.push(await crew.enrollmentToken())
  }

  async #rest(
    choice: Choice & { target: Extract<Target, { surface: 'rest' }> },
    context: HintContext,
    requestId: string,
  ) {
    const { route } = choice.target
    const made =
      choice.intent === 'strange'
        ? strangeRestRequest(route, context, requestId)
        : restRequest(route, context, requestId, choice.intent === 'damaged')
    await this.#send({
      ...choice,
      caller: context.caller,
      requestId,
      sent: made.sent,
      how: made.how,
      input: made.input,
    })
  }

  async #graphql(choice: Choice & { target: GraphqlTarget }, context: HintContext, requestId: string): Promise<void> {
    const { subject } = this.#parts
    const { caller, random } = context
    if (choice.intent === 'strange') {
      const { sent, how } = strangeGraphqlRequest(subject.schema, context, requestId)
      return await this.#send({ ...choice, caller, requestId, sent, how, input: undefined })
    }
    const { target } = choice
    const input = this.#inputOf(choice, context)
    const made = asking(
      subject.schema,
      { kind: target.kind, name: target.name, input: input.value },
      random,
      caller.kind === 'enrollment',
    )
    const byGet = target.kind === 'query' && random.chance(0.15) ? getOf(made, context, requestId) : undefined
    const sent = byGet ?? postOf(made, context, requestId)
    const document = byGet ? undefined : made.document
    await this.#send({ ...choice, caller, requestId, sent, how: input.how, input: input.value, document })
  }

  #inputOf({ target, intent }: Choice & { target: GraphqlTarget }, context: HintContext) {
    const { operation, name, kind } = target
    if (operation === undefined) return { value: { id: context.pools.id([], context.random, false) }, how: undefined }
    return { how: undefined, ...inputFor(name, operation.input, context, kind === 'mutation', intent === 'damaged') }
  }

  async #send(planned: Planned): Promise<void> {
    const { http, reach, findings, pools } = this.#parts
    const { requestId, caller, sent, target } = planned
    reach.expect(requestId, caller.kind)
    if (planned.intent === 'strange' && this.requests % 6 === 0) return await this.#sendRaw(planned)
    const before = this.#parts.outage()
    let heard: Heard
    try {
      heard = await http.send(sent)
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      this.#found(target.name, `no answer: ${error.message}`, planned)
      return
    }
    const circumstances = this.#circumstances(before)
    const judged = judge(planned, heard, circumstances)
    for (const problem of judged.problems) this.#found(target.name, problem, planned, heard)
    this.#count(planned, judged)
    learn(planned, heard.text, judged.succeeded, pools)
    if (heard.status === 401 && !circumstances.outage) await this.#refused(planned, findings)
  }

  async #sendRaw(planned: Planned): Promise<void> {
    const { secrets, origin, seed } = this.#parts
    const { how, text } = await sendRaw(Number(new URL(origin).port), planned.sent, new Chance(seed + this.requests))
    // A cookie is meant for the browser itself.
    const known = secrets.find(text.replace(/^set-cookie: .*$/gim, ''))
    const problem = rawProblem(text) ?? (known && `the answer shows ${known}`)
    if (problem) this.#found(planned.target.name, problem, { ...planned, how }, { text })
  }

  async #socket(choice: Choice & { target: GraphqlTarget }, context: HintContext): Promise<void> {
    const { sockets, subject, secrets, pools, reach, slowestMs } = this.#parts
    const { caller, random } = context
    const { target } = choice
    const blank = { caller, requestId: '', sent: { method: 'WS', path: '/graphql', headers: caller.headers } }
    if (caller.name !== undefined) reach.name(caller.name, caller.kind)
    const before = this.#parts.outage()
    if (choice.intent === 'strange') {
      const { how, text, closed } = await sockets.strange(caller, random)
      const planned: Planned = { ...choice, ...blank, how, input: undefined }
      this.#judgeClosed(planned, closed)
      for (const leaked of leaksIn(text, planned, secrets)) this.#found(target.name, leaked, planned, { text })
      if (/"code":"INTERNAL/.test(text))
        this.#found(target.name, `INTERNAL over a socket: ${text.slice(0, 300)}`, planned)
      return
    }
    const input = this.#inputOf(choice, context)
    const plain = caller.kind === 'enrollment'
    const made = asking(subject.schema, { kind: target.kind, name: target.name, input: input.value }, random, plain)
    const { query, variables, document } = made
    const sentAt = performance.now()
    const heard = await sockets.ask(
      caller,
      made,
      target.kind === 'subscription' ? quietMs : Math.max(10_000, slowestMs),
    )
    const ms = performance.now() - sentAt
    const sent = { ...blank.sent, body: JSON.stringify({ query, variables }) }
    const planned: Planned = { ...choice, ...blank, sent, how: input.how, input: input.value, document }
    this.#judgeClosed(planned, heard.closed)
    if (heard.result === undefined) {
      if (target.kind !== 'subscription' && heard.closed === undefined && choice.allowed && !before)
        this.#found(target.name, 'no message was received over the socket', planned)
      // There was no news on the subscription's subject.
      if (target.kind === 'subscription' && heard.closed === undefined && choice.allowed && choice.intent === 'right')
        this.#count(planned, { succeeded: true, codes: [], problems: [] })
      return
    }
    const circumstances = this.#circumstances(before)
    const judged = judgeResult(planned, heard.result, circumstances)
    const leaked = leaksIn(heard.text, planned, secrets)
    const codeProblems = judgeCodes(judged.codes, heard.text, mayBeUnavailable(circumstances, ms))
    for (const problem of [...judged.problems, ...codeProblems, ...leaked])
      this.#found(target.name, problem, planned, { text: heard.text })
    this.#count(planned, judged)
    learn(planned, heard.text, judged.succeeded, pools)
  }

  /** @param outage Whether the database was unavailable when the request was sent. */
  #circumstances(outage: boolean): Circumstances {
    const { subject, secrets, slowestMs } = this.#parts
    return { subject, secrets, slowestMs, outage: outage || this.#parts.outage(), stalled: this.#parts.isStalled() }
  }

  #judgeClosed(planned: Planned, code: number | undefined): void {
    const { outage, stalled } = this.#circumstances(false)
    if (code === undefined || closeCodes.has(code) || (code === 1013 && (outage || stalled))) return
    this.#found(planned.target.name, `a socket was closed with ${code}`, planned)
  }

  #count({ target, caller }: Planned, { succeeded, codes }: Judged): void {
    const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)
    if (succeeded) count(this.succeeded, `${target.name} ${caller.kind}`)
    for (const code of codes) count(this.codes, code)
  }

  /** A valid credential was refused: either it has ended, or there is a violation. */
  async #refused({ caller, allowed, target, intent }: Planned, findings: Findings): Promise<void> {
    if (!allowed || intent !== 'right' || !renewed.has(caller.kind)) return
    // Routes that are open to anonymous callers refuse passwords and codes with the same status.
    if (verdict(target.access, 'anonymous') === 'allowed') return
    const wronged = await this.#parts.crew.retire(caller).catch(() => undefined)
    if (wronged && !this.#parts.outage()) findings.add({ operation: target.name, what: wronged, evidence: '' })
  }

  #found(
    operation: string,
    what: string,
    planned: Planned,
    heard?: { readonly text: string; readonly status?: number; readonly ms?: number },
  ) {
    const { seed, origin, findings } = this.#parts
    const { sent, intent, how, requestId, caller } = planned
    const request =
      sent.method === 'WS' ? `over a socket, as ${caller.kind}: ${shortened(String(sent.body))}` : curlOf(origin, sent)
    const lines = [
      `seed ${seed}, ${requestId || 'a socket'}, as ${caller.kind}, ${intent}${how === undefined ? '' : `: ${how}`}`,
      request,
      ...(heard?.ms === undefined ? [] : [`after ${Math.round(heard.ms)} ms, ${new Date().toISOString()}`]),
      ...(heard ? [`${heard.status ?? ''} ${shortened(heard.text, 1_000)}`] : []),
    ]
    findings.add({ operation, what, evidence: lines.join('\n  ') })
  }
}

const renewed: ReadonlySet<CallerKind> = new Set(['user by cookie', 'user by bearer', 'apiKey', 'agent'])

function overSocket({ kind }: GraphqlTarget, random: Random): boolean {
  return kind === 'subscription' ? random.chance(0.95) : random.chance(0.1)
}
