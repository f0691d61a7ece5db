/** A soak: the real program under attack and under a valid load at once, and the checks afterwards. */
import { setTimeout as sleep } from 'node:timers/promises'
import { limitSetting } from '../../../spec/settings/table.ts'
import { firstKey, graphql } from '../../kit/program/graphql.ts'
import { type MeasuredProgram, startMeasured } from '../../kit/program/measuring/measuredProgram.ts'
import { freePorts } from '../../kit/program/ports.ts'
import { startRunningJob } from '../bench/support/runningJob.ts'
import { graphqlAttacks } from './attacks/graphql.ts'
import { plainAttacks } from './attacks/plain.ts'
import { socketAttacks } from './attacks/sockets.ts'
import { type LoadReport, startLegitimate } from './legitimate.ts'
import { Random } from './random.ts'
import type { Attack, Target } from './target.ts'

export interface SoakOptions {
  readonly dataDir: string
  readonly seed: number
  readonly warmupMs: number
  readonly attackMs: number
  /** Milliseconds of rest before memory and sockets are measured. The server closes a silent socket after 30 s. */
  readonly restMs: number
  /** The number of concurrent rounds of attacks. */
  readonly atOnce: number
  /** Runs only the attack of this name. */
  readonly only?: string | undefined
  say(line: string): void
}

export interface Finding {
  readonly what: string
  readonly attack: string
  readonly seed: number
  readonly request: string
}

export interface SoakResult {
  readonly findings: readonly Finding[]
  readonly rounds: ReadonlyMap<string, number>
  readonly load: LoadReport
  /** Memory at the end as a multiple of memory after the warm-up. */
  readonly residentRatio: number
  readonly heldRatio: number
  /** Gauges that did not return to their values from before the attacks: name, before, after. */
  readonly gauges: readonly (readonly [name: string, before: number, after: number])[]
}

/** Budgets that would stop a fuzzer within seconds are raised. All limits of size, time and number stay. */
const raised = {
  [limitSetting('graphqlPointsPer5Minutes')]: '1000000000',
  [limitSetting('agentReportsPerMinute')]: '1000000000',
}
const allAttacks: readonly Attack[] = [...plainAttacks, ...socketAttacks, ...graphqlAttacks]
const mostFindings = 50

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { dataDir, say } = options
  const ports = await freePorts()
  const { main: metricsPort } = await freePorts()
  const env = { ...raised, METRICS_PORT: String(metricsPort) }
  say(`limits that are raised for the attacks: ${Object.keys(raised).join(', ')}`)
  const program = await startMeasured({ dataDir, ports, env })
  const findings: Finding[] = []
  const rounds = new Map<string, number>()
  const over = new AbortController()
  const key = await firstKey(program.url)
  const agentUrl = `ws://127.0.0.1:${ports.agent}/graphql`
  const legitimate = await startLegitimate(program.url, agentUrl, key)
  try {
    const target = await targetOf(program, agentUrl, key)
    const attacks = allAttacks.filter((one) => options.only === undefined || one.name === options.only)
    const assail = (ms: number, over: AbortSignal, seed: number) =>
      attackFor(ms, { ...options, seed, attacks, target: { ...target, over }, findings, rounds, program })
    await sleep(500)
    const before = await gauges(metricsPort)
    say(`warm-up of ${options.warmupMs / 1_000} s`)
    await assail(options.warmupMs, over.signal, options.seed)
    requireAlive(program, findings)
    await sleep(options.restMs)
    const warm = await program.collected()
    await legitimate.report()
    say(`attacks for ${options.attackMs / 1_000} s, ${megabytes(warm.rssBytes)} resident`)
    await assail(options.attackMs, over.signal, options.seed + 1_000_000)
    over.abort()
    requireAlive(program, findings)
    const load = await legitimate.report()
    const after = await settled(metricsPort, before, options.restMs)
    await sleep(options.restMs)
    const end = await program.collected()
    say(`${megabytes(end.rssBytes)} resident after a rest of ${options.restMs / 1_000} s`)
    for (const line of program.problems)
      findings.push({ what: 'logged', attack: '', seed: options.seed, request: line })
    return {
      findings,
      rounds,
      load,
      residentRatio: end.rssBytes / warm.rssBytes,
      heldRatio: end.heldBytes / warm.heldBytes,
      gauges: [...before]
        .map(([name, value]) => [name, value, after.get(name) ?? Number.NaN] as const)
        .filter(([, one, other]) => one !== other),
    }
  } finally {
    over.abort()
    legitimate.stop()
    await program.stop()
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

function requireAlive(program: MeasuredProgram, findings: readonly Finding[]): void {
  const code = program.exitCode()
  if (code === undefined) return
  const last = findings.slice(-20).map(({ what, attack, seed }) => `${what} (attack "${attack}", seed ${seed})`)
  throw new Error(`the program ended with ${code}:\n${[...program.problems.slice(-20), ...last].join('\n')}`)
}

type Aim = Omit<Target, 'over' | 'found'>

/** An agent's credential, and IDs: of its worktree and job, of an agent that may be revoked, and of no actor. */
async function targetOf(program: MeasuredProgram, agentUrl: string, key: string): Promise<Aim> {
  const own = await startRunningJob(program.url, agentUrl, key)
  const { agents, runs, codebases } = await graphql<{
    agents: { id: string }[]
    runs: { nodes: { id: string }[] }
    codebases: { nodes: { id: string }[] }
  }>(
    program.url,
    { 'X-API-Key': key },
    '{ agents { id } runs(first: 1) { nodes { id } } codebases(first: 1) { nodes { id } } }',
  )
  const spare = await startRunningJob(program.url, agentUrl, key)
  const known = new Set(agents.map(({ id }) => id))
  const later = await graphql<{ agents: { id: string }[] }>(program.url, { 'X-API-Key': key }, '{ agents { id } }')
  const revocable = later.agents.map(({ id }) => id).filter((id) => !known.has(id))
  // Their connections would be counted in the baseline, but a fuzzer may end them.
  for (const job of [own, spare]) job.close()
  const theirs = [own, spare].flatMap(({ jobId, worktreeId }) => [jobId, worktreeId])
  const found = [...runs.nodes, ...codebases.nodes].map(({ id }) => id)
  const nothing = ['run_01hzzzzzzzzzzzzzzzzzzzzzzz', 'agt_01hzzzzzzzzzzzzzzzzzzzzzzz', 'wt_0', 'job_', '']
  return {
    port: program.port,
    agentPort: program.agentPort,
    credentials: { apiKey: key, agent: own.credential },
    ids: [...theirs, ...found, ...revocable, ...nothing],
  }
}

interface Assault extends SoakOptions {
  readonly attacks: readonly Attack[]
  readonly target: Aim & { readonly over: AbortSignal }
  readonly findings: Finding[]
  readonly rounds: Map<string, number>
  readonly program: MeasuredProgram
}

async function attackFor(ms: number, assault: Assault): Promise<void> {
  const { attacks, target, findings, rounds, program } = assault
  const end = performance.now() + ms
  let next = assault.seed
  const lane = async (): Promise<void> => {
    while (performance.now() < end && program.exitCode() === undefined && findings.length < mostFindings) {
      const seed = next++
      const random = new Random(seed)
      const attack = random.pick(attacks)
      rounds.set(attack.name, (rounds.get(attack.name) ?? 0) + 1)
      const found = (what: string, request: string) => void findings.push({ what, attack: attack.name, seed, request })
      await attack.run({ ...target, found }, random)
    }
  }
  await Promise.all(Array.from({ length: assault.atOnce }, lane))
}

const watched = ['signalbox_sockets', 'signalbox_subscriptions']

async function gauges(port: number): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return new Map(watched.map((name) => [name, Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])]))
}

/** Waits until the gauges have their earlier values, for as long as a silent socket may stay open. */
async function settled(port: number, before: ReadonlyMap<string, number>, restMs: number) {
  const end = performance.now() + Math.max(restMs, 45_000)
  for (;;) {
    const now = await gauges(port)
    if (performance.now() > end || [...before].every(([name, value]) => now.get(name) === value)) return now
    await sleep(200)
  }
}
