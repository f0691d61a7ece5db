/** A whole run: a program, its callers, a number of requests, an outage in between, and the checks afterwards. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Crew } from './callers/crew.ts'
import { ProviderSignIns } from './callers/providerSignIns.ts'
import { Upkeep } from './callers/upkeep.ts'
import { Findings } from './findings.ts'
import { Fuzzer } from './fuzzer.ts'
import { HttpClient } from './http.ts'
import { usualPatienceMs } from './judge/judge.ts'
import { MachineStalls } from './machineStalls.ts'
import { Pools } from './pools.ts'
import { Reach } from './reach.ts'
import { Secrets } from './secrets.ts'
import { Sockets } from './sockets.ts'
import { type Cell, Steer } from './steer.ts'
import type { Subject } from './subject.ts'

export interface Victim {
  readonly port: number
  readonly agentPort: number
  readonly secrets: readonly string[]
  /** Undefined while it runs. */
  exitCode(): number | null | undefined
  /** The memory of V8 after a garbage collection, bytes. */
  heldBytes(): Promise<number>
  /** Whether users can sign in at an identity provider. */
  readonly hasProvider?: boolean
  setDatabaseAway?(away: boolean): void
  /** Resolves with its exit code. */
  stop(): Promise<number | null>
}

export interface RunOptions {
  readonly subject: Subject
  /** @param line is called with each line that the program writes */
  start(line: (text: string) => void): Promise<Victim>
  readonly requests: number
  readonly seed: number
  /** Concurrent requests. */
  readonly atOnce: number
  /** The most milliseconds of an answer. Other load on the machine counts too. */
  readonly slowestMs: number
  /** For how many milliseconds the database is unavailable, halfway through; 0 for no outage. */
  readonly outageMs: number
  say(line: string): void
}

export interface RunResult {
  readonly requests: number
  readonly valid: number
  readonly seconds: number
  readonly findings: Findings
  readonly cells: readonly (Cell & { readonly reached: number; readonly succeeded: number })[]
  readonly codes: ReadonlyMap<string, number>
  readonly secrets: number
  /** As a multiple of the memory after a tenth of the requests. */
  readonly memoryRatio: number
  readonly heldBytes: number
  /** Actors that are stuck at the end. */
  readonly stuck: readonly string[]
}

/** The most memory that V8 may use at the end: its caches are bounded, and unused actors leave memory. */
const mostHeldBytes = 700e6
/** The most milliseconds until the program has recovered from the outage. */
const recoverWithinMs = 20_000

export async function run(options: RunOptions): Promise<RunResult> {
  const { subject, seed, say } = options
  const secrets = new Secrets()
  const findings = new Findings()
  const reach = new Reach()
  const trouble = { outage: false }
  const stalls = options.slowestMs > usualPatienceMs ? new MachineStalls() : undefined
  const isStalled = () => stalls?.isRecent ?? false
  const victim = await options.start((line) => {
    reach.read(line)
    readLog(line, secrets, findings, () => trouble.outage || isStalled())
  })
  for (const secret of victim.secrets) secrets.add(secret, 'a secret of the settings')
  const origin = `http://127.0.0.1:${victim.port}`
  const agentUrl = `ws://127.0.0.1:${victim.agentPort}/graphql`
  const http = new HttpClient(victim.port)
  const pools = new Pools()
  const upkeep = new Upkeep(http, origin)
  const steer = new Steer(subject.targets, reach)
  const sockets = new Sockets(`${origin.replace('http', 'ws')}/graphql`, origin)
  let counted = 0
  const crew = await Crew.assemble({ upkeep, agentUrl, pools, secrets, counted: () => counted++ })
  const signIns = new ProviderSignIns(origin, secrets)
  if (victim.hasProvider) pools.guard(await crew.whileRegistrationIsOpen(() => signIns.begin()))
  const parts = {
    signIns: victim.hasProvider ? signIns : undefined,
    subject,
    seed,
    origin,
    http,
    sockets,
    crew,
    pools,
    secrets,
    reach,
    steer,
    findings,
  }
  const fuzzer = new Fuzzer({ ...parts, slowestMs: options.slowestMs, outage: () => trouble.outage, isStalled })
  const began = performance.now()
  let next = 0
  let crashed = false
  const until = async (end: number): Promise<void> => {
    const lane = async () => {
      while (next < end && !crashed) {
        const index = next++
        await fuzzer.one(index).catch((error: unknown) => {
          if (!trouble.outage) findings.add({ operation: 'the fuzzer', what: String(error), evidence: stackOf(error) })
        })
        if (index % 5_000 === 4_999) say(`${index + 1} requests, ${reach.valid} reached a handler`)
        crashed ||= victim.exitCode() !== undefined
      }
    }
    await Promise.all(Array.from({ length: options.atOnce }, lane))
  }
  const { requests } = options
  await until(Math.ceil(requests / 10))
  const warmBytes = crashed ? 1 : await victim.heldBytes()
  await until(Math.ceil(requests / 2))
  if (options.outageMs > 0 && !crashed) {
    say(`the database is unavailable for ${options.outageMs / 1_000} s`)
    trouble.outage = true
    victim.setDatabaseAway?.(true)
    const end = performance.now() + options.outageMs
    // Requests continue during the outage, but only a few. Otherwise all remaining requests would meet an unavailable database.
    while (performance.now() < end) await until(Math.min(requests, next + options.atOnce))
    victim.setDatabaseAway?.(false)
    await recovered(http, findings)
    trouble.outage = false
  }
  await until(requests)
  const seconds = (performance.now() - began) / 1_000
  // The log is written a moment after the event.
  await sleep(500)
  if (crashed) findings.add({ operation: 'the program', what: `ended with ${victim.exitCode()}`, evidence: '' })
  const after = crashed ? { heldBytes: 0, stuck: [] } : await wellAfter(upkeep, crew, victim, findings)
  await crew.dismissAll()
  sockets.close()
  http.close()
  stalls?.end()
  const code = await victim.stop()
  if (code !== 0 && !crashed)
    findings.add({ operation: 'the program', what: `a stop ended with ${code}`, evidence: '' })
  return {
    requests: fuzzer.requests + counted,
    valid: reach.valid,
    seconds,
    findings,
    cells: steer.cells.map((cell) => ({
      ...cell,
      reached: steer.count(cell),
      succeeded: fuzzer.succeeded.get(`${cell.target.name} ${cell.kind}`) ?? 0,
    })),
    codes: fuzzer.codes,
    secrets: secrets.size,
    memoryRatio: after.heldBytes / warmBytes,
    ...after,
  }
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? '') : '')
const errorLevel = 50

/** Finds lines of the log with a secret or a defect, and output that is not a line of the log. */
function readLog(line: string, secrets: Secrets, findings: Findings, mayFail: () => boolean): void {
  if (line.trim() === '') return
  const known = secrets.find(line)
  if (known !== undefined)
    findings.add({ operation: 'the log', what: `shows ${known}`, evidence: line.slice(0, 2_000) })
  const level = /^\{"level":(\d+)/.exec(line)?.[1]
  if (level === undefined) findings.add({ operation: 'the program', what: `wrote: ${line}`, evidence: line })
  else if (Number(level) >= errorLevel && !mayFail())
    findings.add({
      operation: 'the log',
      what: `contains an error: ${/"msg":"([^"]*)"/.exec(line)?.[1]} ${/"message":"([^"]*)"/.exec(line)?.[1] ?? ''}`,
      evidence: line.slice(0, 3_000),
    })
}

async function recovered(http: HttpClient, findings: Findings): Promise<void> {
  const end = performance.now() + recoverWithinMs
  const sent = { method: 'GET', path: '/api/public/ready', headers: { 'x-request-id': 'up-ready' } }
  while (performance.now() < end) {
    const answer = await http.send(sent).catch(() => undefined)
    // For a moment, answers to requests of the outage are still being sent.
    if (answer?.status === 200) return await sleep(1_500)
    await sleep(100)
  }
  findings.add({ operation: 'the outage', what: 'the program did not recover', evidence: '' })
}

async function wellAfter(upkeep: Upkeep, crew: Crew, victim: Victim, findings: Findings) {
  const query =
    '{ health stuckActors(first: 50) { nodes { cause waitsFor actor { id status context } effects { type problem } } } }'
  const { health, stuckActors } = await upkeep.graphql<{
    health: string
    stuckActors: { nodes: { cause: string; waitsFor: string[]; actor: { id: string; status: string } }[] }
  }>(query, {}, crew.rootHeaders)
  if (health !== 'ok') findings.add({ operation: 'health', what: `is ${health} at the end`, evidence: '' })
  const stuck = stuckActors.nodes.map((one) => JSON.stringify(one))
  for (const evidence of stuck)
    findings.add({ operation: 'stuckActors', what: `an actor is stuck: ${evidence}`, evidence })
  const heldBytes = await victim.heldBytes()
  if (heldBytes > mostHeldBytes)
    findings.add({ operation: 'the program', what: `holds ${Math.round(heldBytes / 1e6)} MB`, evidence: '' })
  return { heldBytes, stuck }
}
