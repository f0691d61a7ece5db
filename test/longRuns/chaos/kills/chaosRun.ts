/** One run of the chaos: program, agents and load, kills at random times, then rest. Returns the evidence. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { firstKey, graphql } from '../../../kit/program/graphql.ts'
import { freePorts } from '../../../kit/program/ports.ts'
import type { Ask } from '../../../kit/program/testProgram.ts'
import type { KillPlant } from '../plants/killPlant.ts'
import { random } from '../random.ts'
import { AgentKeeper, commandFor } from './agentKeeper.ts'
import { Asker } from './asker.ts'
import { createConfigurations } from './builds.ts'
import { ControlPlane } from './controlPlane.ts'
import { drain } from './drain.ts'
import { countSteps, readRecord, readStorage, unrest, withDatabase } from './evidence.ts'
import { Writer } from './load.ts'
import type { Seen } from './seen.ts'

export interface ChaosOptions {
  readonly seed: number
  readonly kills: number
  readonly databaseKills: number
  readonly agentKills: number
  /** 4 if omitted. */
  readonly writers?: number
  /** 2 if omitted. */
  readonly agents?: number
  readonly fault?: KillPlant
  /** The milliseconds after the last kill within which all work must come to rest. 90,000 if omitted. */
  readonly restWithin?: number
  /**
   * After the last kill the load goes on until there are at least this many steps of workflows, for at most a minute. On a slow machine a short run
   * has too few of them to prove anything. 0 if omitted.
   */
  readonly steps?: number
  /** Aborts the run. All processes that it started are ended. */
  readonly signal?: AbortSignal
  readonly say?: (line: string) => void
}

export interface ChaosSeen extends Seen {
  readonly recoveries: ControlPlane['recoveries']
  /** Wrong reactions of the program to the death of its database. */
  readonly misdeeds: readonly string[]
  readonly lost: number
  readonly restAfter: number | undefined
  /** The last output of the program and the agents, for the report of a violation. */
  readonly outputs: readonly string[]
}

/** One of ten starts after a kill is killed itself. */
const killedAgain = 0.1

type Target = 'program' | 'database' | 'agent'

export async function chaos(options: ChaosOptions): Promise<ChaosSeen> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'))
  try {
    return await inFolder(folder, options)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function inFolder(folder: string, options: ChaosOptions): Promise<ChaosSeen> {
  const { seed, fault, writers = 4, agents: agentCount = 2, restWithin = 90_000, steps = 0, say = () => {} } = options
  const chance = random(seed)
  const dataDir = join(folder, 'data')
  const record = join(folder, 'record')
  const plane = new ControlPlane(dataDir, await freePorts(), environmentFor(fault))
  const keepers: AgentKeeper[] = []
  const done = new AbortController()
  let polled: Promise<void> | undefined
  try {
    await plane.start()
    const key = await firstKey(plane.url)
    for (let n = 1; n <= agentCount; n++) {
      const token = await enrollmentToken(plane.url, key)
      const own = join(folder, `agent${n}`)
      await mkdir(own)
      keepers.push(await AgentKeeper.start({ url: plane.url, token, folder: own, name: `agent${n}`, record, fault }))
    }
    const worktreeIds = await worktreesOf(plane.url, key, agentCount * 2)
    const asker = new Asker(plane.url, key)
    const ask: Ask = (query, variables) => graphql(plane.url, { 'X-API-Key': key }, query, variables)
    const commands = ['0.100 2 0 built', '0.050 3 sometimes built', '0.300 4 0 built']
    const configurationIds = await createConfigurations(
      ask,
      commands.map((words) => commandFor(record, words)),
    )
    let open = 0
    polled = poll(dataDir, (runs) => (open = runs), done.signal)
    const world = { asker, worktreeIds, configurationIds, record, open: () => open }
    const writing = Array.from({ length: writers }, (_, n) =>
      new Writer(world, chance.fork(`writer ${n}`), `w${n}`).run(done.signal),
    )
    await sleep(1_500)
    await Promise.race([killAll(options, chance.fork('kills'), plane, keepers, say), aborted(options.signal)])
    await Promise.race([untilSteps(dataDir, steps), aborted(options.signal)])
    done.abort()
    await Promise.all(writing)
    for (const worktreeId of worktreeIds) await asker.ask('resumeWorktreeQueue', { worktreeId })
    await drain(asker, dataDir)
    const restAfter = await untilRest(dataDir, restWithin)
    say(restAfter === undefined ? `no rest within ${restWithin} ms` : `at rest after ${restAfter} ms`)
    const stored = await withDatabase(dataDir, readStorage)
    const blocked = await blockedRuns(plane.url, key)
    await plane.stop()
    const { recoveries, misdeeds } = plane
    return {
      ...stored,
      asked: asker.asked,
      lines: await readRecord(record),
      blocked,
      recoveries,
      misdeeds,
      lost: asker.lost,
      restAfter,
      outputs: [plane.output, ...keepers.map(({ output }) => output)],
    }
  } finally {
    done.abort()
    await polled
    await Promise.all(keepers.map((keeper) => keeper.stop()))
    await plane.stop()
  }
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('the run was aborted'))))
}

/** The program reads from the environment the name of its fault and the hook that plants it. */
function environmentFor(fault: KillPlant | undefined): Record<string, string> {
  if (fault?.inProgram === undefined) return {}
  return {
    NODE_OPTIONS: `--import=${new URL('../plants/preloadKillPlant.ts', import.meta.url).href}`,
    CHAOS_FAULT: fault.name,
  }
}

async function killAll(
  { kills, databaseKills, agentKills }: ChaosOptions,
  chance: ReturnType<typeof random>,
  plane: ControlPlane,
  keepers: readonly AgentKeeper[],
  say: (line: string) => void,
): Promise<void> {
  const targets = chance.shuffle<Target>([
    ...Array<Target>(kills).fill('program'),
    ...Array<Target>(databaseKills).fill('database'),
    ...Array<Target>(agentKills).fill('agent'),
  ])
  for (const [index, target] of targets.entries()) {
    const after = chance.whole(0, 2_000)
    await sleep(after)
    const begun = performance.now()
    if (target === 'program') await plane.kill(chance.next() < killedAgain ? chance.whole(50, 1_500) : undefined)
    else if (target === 'database') await plane.killDatabase()
    else await chance.pick(keepers)?.kill()
    say(
      `kill ${index + 1} of ${targets.length}: ${target} after ${after} ms, back after ${Math.round(performance.now() - begun)} ms`,
    )
  }
}

async function enrollmentToken(url: string, key: string): Promise<string> {
  const query = 'mutation { createEnrollmentToken(input: {}) { token } }'
  const { createEnrollmentToken } = await graphql<{ createEnrollmentToken: { token: string } }>(
    url,
    { 'X-API-Key': key },
    query,
  )
  return createEnrollmentToken.token
}

async function worktreesOf(url: string, key: string, count: number): Promise<string[]> {
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(200)) {
    const { worktrees } = await graphql<{ worktrees: { nodes: { id: string }[] } }>(
      url,
      { 'X-API-Key': key },
      '{ worktrees(first: 100) { nodes { id } } }',
    )
    if (worktrees.nodes.length >= count) return worktrees.nodes.map(({ id }) => id)
  }
  throw new Error(`the agents did not report ${count} worktrees`)
}

async function poll(dataDir: string, tell: (runs: number) => void, done: AbortSignal): Promise<void> {
  while (!done.aborted) {
    const now = await withDatabase(dataDir, unrest).catch(() => undefined)
    if (now !== undefined) tell(now.runs)
    await sleep(300)
  }
}

async function untilSteps(dataDir: string, least: number): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(250))
    if ((await withDatabase(dataDir, countSteps)) >= least) return
}

/** The milliseconds until nothing was active any more; `undefined` if something still is. */
async function untilRest(dataDir: string, within: number): Promise<number | undefined> {
  const began = Date.now()
  for (let still = 0; Date.now() < began + within; await sleep(250)) {
    const { runs, workers, outbox } = await withDatabase(dataDir, unrest)
    still = runs + workers + outbox === 0 ? still + 1 : 0
    if (still === 4) return Date.now() - began
  }
  return undefined
}

interface RunPage {
  readonly runs: {
    readonly nodes: readonly { readonly id: string; readonly blockedBy: { readonly reason: string } | null }[]
  }
}

/** The latest hundred are enough: earlier runs are terminal, or a checker finds them without a reason. */
async function blockedRuns(url: string, key: string): Promise<Map<string, string>> {
  const query = '{ runs(first: 100, statuses: [QUEUED]) { nodes { id blockedBy { reason } } } }'
  const page = await graphql<RunPage>(url, { 'X-API-Key': key }, query)
  return new Map(page.runs.nodes.flatMap(({ id, blockedBy }) => (blockedBy === null ? [] : [[id, blockedBy.reason]])))
}
