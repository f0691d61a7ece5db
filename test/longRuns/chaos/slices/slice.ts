/** A slice: one world under load, faults of one kind, then rest and all checkers. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withSql } from '../database/sql.ts'
import { type FaultKindName, faultKind } from '../faults/kinds.ts'
import { Load } from '../load/load.ts'
import { openWorld, type Topology, type World } from '../program/world.ts'
import { random } from '../random.ts'
import { violationsIn } from '../verify/checkers.ts'
import type { Evidence, InjectedFault, Violation } from '../verify/evidence.ts'
import { lastStored } from '../verify/followers.ts'
import { aims, recoveryMs } from '../verify/recovery.ts'

export interface FaultsOfKind {
  readonly kind: FaultKindName
  readonly count: number
}

export interface SliceOptions {
  readonly topology: Topology
  /** One kind after the other. */
  readonly faults: readonly FaultsOfKind[]
  readonly seed: number
  /** The duration of a lasting fault, ms; 12,000 if omitted. */
  readonly lastsMs?: number
  /** For how long the load continues after the last fault, ms. If omitted, for as long as recovery may take. */
  readonly restMs?: number
  /** After this time no further fault of a kind is injected, ms. */
  readonly forMs?: number
  /** How many times longer than the aims the answers and recoveries may take; 1 if omitted. */
  readonly patience?: number
  readonly scale?: number
  readonly nodeOptions?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly say?: (line: string) => void
}

export interface SliceResult {
  /** Faults that were injected. */
  readonly count: number
  /** One value for each fault that was not overtaken, ms. A number that is not finite is null. */
  readonly recoveries: readonly (number | null)[]
  readonly acknowledged: number
  readonly uncertain: number
  readonly violations: readonly Violation[]
  readonly seconds: number
  /** The last output of each process, if a violation was found. */
  readonly outputs: readonly string[]
}

/** Instant faults are injected in bursts, so that the next one hits the consequences of the previous one. */
const burst = { least: 3, most: 8, apartMs: [60, 350] } as const
const warmUpMs = 1_500
/** Deadlines of 10 s that were set before the last fault expire within this time. */
const timersMs = 11_000
const catchUpMs = 8_000
const failuresMax = 3
/** Instant faults are injected by the hundred, so not each is reported. */
const saidEvery = 25

export async function runSlice(options: SliceOptions): Promise<SliceResult> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'))
  const began = performance.now()
  const { topology, nodeOptions = [], env = {} } = options
  const needs = new Set(options.faults.map(({ kind }) => faultKind(kind).needs))
  let world: World | undefined
  try {
    const parts = { disk: needs.has('disk'), standby: needs.has('standby') }
    world = await openWorld({ topology, folder, ...parts, nodeOptions, env })
    return await inWorld(world, options, began)
  } finally {
    await world?.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function inWorld(world: World, options: SliceOptions, began: number): Promise<SliceResult> {
  const { seed, scale = 1, patience = 1 } = options
  const chance = random(seed)
  const load = await Load.start(world, chance.fork('load'), `t${seed}`, { scale })
  await sleep(warmUpMs)
  const faults: InjectedFault[] = []
  const failures: string[] = []
  for (const each of options.faults) faults.push(...(await inject(world, load, each, options, failures)))
  await sleep(options.restMs ?? restMsAfter(options.faults))
  const loadEndedAt = performance.now()
  await load.stop()
  return await withSql(await world.direct(), async (sql) => {
    const evidence: Evidence = {
      requests: load.context.requests,
      faults,
      agents: load.agents,
      followers: load.followers,
      unnoticed: load.unnoticed,
      ready: load.readiness.answers,
      lives: world.instances.map(({ starts, ends }) => ({ starts, ends: ends.map(({ at }) => at) })),
      loadEndedAt,
      patience,
      sql,
    }
    await caughtUp(evidence)
    await load.stopWatching()
    const failed = failures.map((what) => ({ checker: 'harness', what }))
    const violations = [...failed, ...(await violationsIn(evidence))]
    const outcomes = load.context.requests.all.map(({ outcome }) => outcome)
    const measured = faults.filter(({ overtaken }) => !overtaken)
    return {
      count: faults.length,
      recoveries: measured.map((fault) => finite(recoveryMs(fault, evidence))),
      acknowledged: outcomes.filter((outcome) => outcome === 'acknowledged').length,
      uncertain: outcomes.filter((outcome) => outcome !== 'acknowledged' && outcome !== 'refused').length,
      violations,
      seconds: (performance.now() - began) / 1_000,
      outputs: violations.length === 0 ? [] : world.instances.map(({ output }) => output.slice(-6_000)),
    }
  })
}

const finite = (ms: number): number | null => (Number.isFinite(ms) ? Math.round(ms) : null)

function restMsAfter(faults: readonly FaultsOfKind[]): number {
  return faults.some(({ kind }) => kind === 'killed-process') ? timersMs : aims.recoveredMs + 500
}

async function inject(
  world: World,
  load: Load,
  { kind, count }: FaultsOfKind,
  { seed, lastsMs = 12_000, forMs = Number.POSITIVE_INFINITY, patience = 1, say = () => {} }: SliceOptions,
  failures: string[],
): Promise<readonly InjectedFault[]> {
  const fault = faultKind(kind)
  const chance = random(seed).fork(kind)
  const context = { world, load, random: chance, lastsMs }
  const faults: InjectedFault[] = []
  let left = chance.whole(burst.least, burst.most)
  const until = performance.now() + forMs
  for (let failed = 0; faults.length < count && failed < failuresMax; ) {
    if (performance.now() > until) {
      failures.push(
        `only ${faults.length} of ${count} faults ${kind} were injected within ${Math.round(forMs / 1_000)} s`,
      )
      break
    }
    const injected = await fault.inject(context).catch((error: unknown) => {
      failures.push(`${kind} could not be injected: ${String(error)}`)
    })
    if (injected === undefined) {
      failed++
      await sleep(1_000)
      continue
    }
    const isLast = fault.burst !== true || --left <= 0 || faults.length === count - 1
    faults.push({ ...injected, kind, overtaken: !isLast })
    if (fault.lasting || faults.length % saidEvery === 0 || faults.length === count) {
      say(`${kind} ${faults.length} of ${count}: ${injected.detail}`)
    }
    if (!isLast) {
      await sleep(chance.whole(...burst.apartMs))
      continue
    }
    left = chance.whole(burst.least, burst.most)
    await untilRecovered(world, load, faults.at(-1), patience)
    await sleep(chance.whole(0, 300))
  }
  return faults
}

/** The next fault waits until work continues everywhere, but not much longer than the aim. */
async function untilRecovered(
  world: World,
  load: Load,
  fault: InjectedFault | undefined,
  patience: number,
): Promise<void> {
  if (fault === undefined) return
  const evidence = { requests: load.context.requests, ready: load.readiness.answers }
  const { noticedAt: _noticedAt, ...rest } = fault
  const all = { ...rest, instances: world.instances.map((_, index) => index) }
  const until = performance.now() + aims.recoveredMs * patience + 3_000
  while (performance.now() < until && !Number.isFinite(recoveryMs(all, evidence))) await sleep(50)
}

/** Waits until subscribers have everything that is stored. Otherwise a checker finds that they do not. */
async function caughtUp(evidence: Evidence): Promise<void> {
  const until = performance.now() + catchUpMs
  for (const follower of evidence.followers) {
    while (performance.now() < until && follower.last < (await lastStored(evidence, follower.followed)))
      await sleep(100)
  }
}
