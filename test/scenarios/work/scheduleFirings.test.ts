/** Firings of schedules on real operations with a clock that the test moves: with storage in memory, and on PostgreSQL. */

import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { keptDefinition } from '../../../actors/upgrade.ts'
import { openStorage } from '../../../storage/open.ts'
import type { Storage } from '../../../storage/storage.ts'
import { commandStep } from '../../kit/program/commandStep.ts'
import { ManualClock } from '../../kit/runtime/manualClock.ts'
import { openMemoryStorage } from '../../kit/runtime/memory/memory.ts'
import { MemoryState } from '../../kit/runtime/memory/state.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { refusal } from '../../kit/runtime/testSystem.ts'
import { startWorkflowProcess, type WorkflowProcess } from '../../kit/runtime/workflows/workflowProcess.ts'

after(stopServers)

const hour = 3_600_000

interface Schedule {
  readonly id: string
  readonly status: string
  readonly nextTimes: readonly string[]
  readonly firedCount: number
  readonly missedCount: number
  readonly waitingCount: number
  readonly problem: { readonly code: string; readonly message: string } | null
  readonly lastFiring: { readonly scheduledAt: string; readonly runId: string | null } | null
}

type Input = Readonly<Record<string, unknown>>

/** Opens storages of one database, one for each process. */
interface Database {
  open(owner: string): Promise<Storage>
  drop(): Promise<void>
}

const inMemory = async (): Promise<Database> => {
  const state = new MemoryState()
  return { open: async (owner) => openMemoryStorage({ owner, state }), drop: async () => {} }
}

const databases: Readonly<Record<string, () => Promise<Database>>> = {
  'in memory': inMemory,
  'on PostgreSQL': async () => {
    const { target, drop } = await testDatabase()
    return { open: async (owner) => await openStorage({ ...target, owner, log: () => {} }), drop }
  },
}

class Stage {
  readonly clock = new ManualClock(Date.UTC(2026, 2, 28, 12))
  readonly #database: Database
  readonly processes: WorkflowProcess[] = []

  constructor(database: Database) {
    this.#database = database
  }

  async start(owner: string): Promise<WorkflowProcess> {
    const storage = await this.#database.open(owner)
    const process = startWorkflowProcess({ clock: this.clock, owner, storage, shared: true })
    await storage.definitions.keep(process.system.logics.map(keptDefinition))
    this.processes.push(process)
    return process
  }

  get first(): WorkflowProcess {
    const [process] = this.processes
    if (process === undefined) throw new Error('no process was started')
    return process
  }

  async change(operation: string, input: Input): Promise<Schedule> {
    return (await this.first.execute<{ schedule: Schedule }>(operation, input)).schedule
  }

  async read(id: string): Promise<Schedule> {
    return await this.first.execute<Schedule>('schedule', { id })
  }

  /** Advances the clock, and then until the schedule fits. */
  async advance(ms: number, id: string, isAsExpected: (schedule: Schedule) => boolean): Promise<Schedule> {
    await this.clock.leap(ms)
    for (let round = 0; round < 200; round++) {
      const schedule = await this.read(id)
      if (isAsExpected(schedule)) return schedule
      await sleep(10)
      if (round % 10 === 9) await this.clock.leap(1_000)
    }
    assert.fail(`the schedule stays ${JSON.stringify(await this.read(id))}`)
  }

  async stop(): Promise<void> {
    for (const process of this.processes.splice(0)) await process.stop()
  }
}

async function stage(t: TestContext, open: () => Promise<Database>): Promise<Stage> {
  const database = await open()
  const made = new Stage(database)
  t.after(async () => {
    await made.stop()
    await database.drop()
  })
  await made.start('one')
  return made
}

async function nightly(world: Stage, more: Input = {}) {
  const workflowId = await world.first.newWorkflow({ overlapPolicy: 'ALLOW_ALL' })
  const { worktree } = await world.first.newWorktree()
  const place = { workflowId, worktreeId: worktree.id }
  const input = { ...place, name: 'nightly', cron: '30 2 * * *', timeZone: 'Europe/Berlin', ...more }
  return { ...place, worktree, input, schedule: await world.change('createSchedule', input) }
}

const hasRun =
  (count: number) =>
  ({ firedCount, lastFiring, problem }: Schedule) =>
    firedCount >= count && (lastFiring?.runId != null || problem !== null)

for (const [name, openDatabase] of Object.entries(databases))
  describe(name, () => {
    test('a schedule fires at its times, and not at the wall time that clocks skip', async (t) => {
      const world = await stage(t, openDatabase)
      const { schedule, workflowId } = await nightly(world)
      assert.deepEqual(schedule.nextTimes.slice(0, 2), ['2026-03-30T00:30:00.000Z', '2026-03-31T00:30:00.000Z'])
      await world.clock.leap(30 * hour)
      assert.equal((await world.read(schedule.id)).firedCount, 0)
      const fired = await world.advance(7 * hour, schedule.id, hasRun(1))
      assert.equal(fired.lastFiring?.scheduledAt, '2026-03-30T00:30:00.000Z')
      const runs = await world.first.runsOf(workflowId)
      assert.deepEqual(
        runs.map(({ id, init }) => [id, init.requestedBy]),
        [[fired.lastFiring?.runId, schedule.id]],
      )
    })

    test('two processes fire each time once, and a process that starts after an outage catches up in order', async (t) => {
      const world = await stage(t, openDatabase)
      await world.start('two')
      const { schedule, workflowId } = await nightly(world, { cron: '@hourly', catchUpWindowSeconds: 3 * 3_600 })
      await world.advance(hour, schedule.id, hasRun(1))
      await world.stop()
      // A minute more, so that no time is at the edge of the window.
      await world.clock.leap(10 * hour + 60_000)
      await world.start('three')
      const { missedCount } = await world.advance(1, schedule.id, hasRun(4))
      const runs = await world.first.runsOf(workflowId)
      const requested = (await world.first.history(schedule)).filter(({ event }) => event === 'requestAnswered')
      const times = requested.map(
        ({ payload }) => (payload as { request: { scheduledAt: number } }).request.scheduledAt,
      )
      assert.deepEqual([...times].sort(), times)
      assert.deepEqual([runs.length, new Set(times).size], [times.length, times.length])
      assert.equal(times.length + missedCount, 11)
      assert.equal(missedCount, 7)
    })

    test('a start that is refused is an item of the Action Center until one succeeds', async (t) => {
      const world = await stage(t, openDatabase)
      const { schedule, worktree } = await nightly(world, { cron: '@hourly' })
      const items = async () => {
        const found = await world.first.execute<{ items: { kind: string; actorId: string; detail: string }[] }>(
          'actionCenter',
          {},
        )
        return found.items.filter(({ kind }) => kind === 'SCHEDULE_REFUSED')
      }
      assert.deepEqual(await items(), [])
      const report = { type: 'reported', branch: 'b', headSha: null }
      await world.first.ask(worktree, { ...report, available: false })
      const { problem } = await world.advance(hour, schedule.id, hasRun(1))
      assert.deepEqual([problem?.code, /MISSING/.test(problem?.message ?? '')], ['FAILED_PRECONDITION', true])
      assert.deepEqual(
        (await items()).map(({ actorId, detail }) => [actorId, detail.includes('MISSING')]),
        [[schedule.id, true]],
      )
      await world.first.ask(worktree, { ...report, available: true })
      await world.advance(hour, schedule.id, (one) => one.firedCount >= 2 && one.lastFiring?.runId != null)
      assert.deepEqual(await items(), [])
    })

    test('an archived workflow does not start, and its schedule shows the problem', async (t) => {
      const world = await stage(t, openDatabase)
      const { schedule, workflowId, input } = await nightly(world, { cron: '@hourly' })
      await world.first.ask({ kind: 'workflow', id: workflowId }, { type: 'archive' })
      const { problem, status } = await world.advance(hour, schedule.id, hasRun(1))
      assert.deepEqual([status, /ARCHIVED/.test(problem?.message ?? '')], ['ACTIVE', true])
      const again = await refusal(world.change('createSchedule', input))
      assert.deepEqual([again.code, again.details?.field], ['FAILED_PRECONDITION', 'workflowId'])
    })

    test('a repeated trigger or backfill with the same key takes effect once', async (t) => {
      const world = await stage(t, openDatabase)
      const { schedule, workflowId } = await nightly(world)
      const scheduleId = schedule.id
      for (let repeat = 0; repeat < 2; repeat++) {
        await world.change('triggerSchedule', { scheduleId, idempotencyKey: 'now' })
        const interval = { from: '2026-03-01T00:00:00Z', to: '2026-03-03T00:00:00Z' }
        await world.change('backfillSchedule', { scheduleId, ...interval, idempotencyKey: 'march' })
      }
      await world.advance(1, scheduleId, (one) => hasRun(3)(one) && one.waitingCount === 0)
      assert.equal((await world.first.runsOf(workflowId)).length, 3)
    })

    test('a paused schedule does not fire, and continues with the times after it is resumed', async (t) => {
      const world = await stage(t, openDatabase)
      const { schedule } = await nightly(world, { cron: '@hourly' })
      await world.change('pauseSchedule', { scheduleId: schedule.id, reason: 'holidays' })
      await world.clock.leap(5 * hour)
      const resumed = await world.change('resumeSchedule', { scheduleId: schedule.id })
      assert.deepEqual([resumed.firedCount, resumed.missedCount], [0, 0])
      const { firedCount } = await world.advance(hour, schedule.id, hasRun(1))
      assert.equal(firedCount, 1)
    })
  })

const bad: readonly [reason: string, input: Input, field: string, message: RegExp][] = [
  ['a day that never comes', { cron: '0 0 30 2 *' }, 'cron', /never comes/],
  ['four fields', { cron: '0 0 1 1' }, 'cron', /has 4 fields/],
  ['minute 60', { cron: '60 * * * *' }, 'cron', /60/],
  ['an unknown zone', { timeZone: 'Mars/Olympus' }, 'timeZone', /Europe\/Berlin/],
  ['an offset for a zone', { timeZone: '+02:00' }, 'timeZone', /IANA/],
  ['a jitter of two hours', { jitterSeconds: 7_200 }, 'jitterSeconds', /3600/],
  ['a window of 9 seconds', { catchUpWindowSeconds: 9 }, 'catchUpWindowSeconds', /10/],
  ['a window of 366 days', { catchUpWindowSeconds: 366 * 86_400 }, 'catchUpWindowSeconds', /31536000/],
  ['an end in the past', { endAt: '2026-01-01T00:00:00Z' }, 'endAt', /future/],
  ['an end before the start', { startAt: '2027-01-02T00:00:00Z', endAt: '2027-01-01T00:00:00Z' }, 'startAt', /after/],
  ['no time before the end', { cron: '@yearly', endAt: '2026-04-01T00:00:00Z' }, 'endAt', /no time before/],
  ['an unknown input', { inputs: { branch: 'main' } }, 'inputs.branch', /no inputs/],
  ['inputs that are a list', { inputs: ['main'] }, 'inputs', /object/],
  ['no name', { name: '' }, 'name', /1/],
]

test('an invalid schedule is refused with its field, when it is created and when it is changed', async (t) => {
  const world = await stage(t, inMemory)
  const { schedule, input } = await nightly(world)
  const { workflowId: _, ...content } = input
  for (const [reason, change, field, message] of bad) {
    const created = await refusal(world.change('createSchedule', { ...input, ...change }))
    const updated = await refusal(world.change('updateSchedule', { scheduleId: schedule.id, ...content, ...change }))
    for (const { code, details, message: said } of [created, updated]) {
      assert.deepEqual([code, details?.field], ['BAD_USER_INPUT', field], `${reason}: ${said}`)
      assert.match(said, message, reason)
    }
  }
  const { nodes } = await world.first.execute<{ nodes: readonly unknown[] }>('schedules')
  assert.equal(nodes.length, 1)
})

test('a draft cannot be scheduled, and neither can a workflow on a missing worktree', async (t) => {
  const world = await stage(t, inMemory)
  const { input, worktree } = await nightly(world)
  const definition = { name: 'draft', steps: [commandStep('s', 'true')] }
  const { workflow } = await world.first.execute<{ workflow: { id: string } }>('createWorkflow', definition)
  const draft = await refusal(world.change('createSchedule', { ...input, workflowId: workflow.id }))
  assert.match(`${draft.code} ${draft.message}`, /FAILED_PRECONDITION workflowId: the workflow is DRAFT/)
  await world.first.ask(worktree, { type: 'reported', available: false, branch: null, headSha: null })
  const missing = await refusal(world.change('createSchedule', input))
  assert.match(`${missing.code} ${missing.message}`, /FAILED_PRECONDITION .*MISSING/)
})

test('each start gets the inputs of the schedule', async (t) => {
  const world = await stage(t, inMemory)
  const inputs = [{ name: 'channel', type: 'CHOICE', choices: ['beta', 'stable'], required: true }]
  const workflowId = await world.first.newWorkflow({ inputs })
  const { input } = await nightly(world)
  const given = { ...input, workflowId, inputs: { channel: 'stable' } }
  const wrong = await refusal(world.change('createSchedule', { ...given, inputs: { channel: 'nightly' } }))
  assert.deepEqual([wrong.code, wrong.details?.field], ['BAD_USER_INPUT', 'inputs.channel'])
  const { id } = await world.change('createSchedule', given)
  await world.change('triggerSchedule', { scheduleId: id })
  await world.advance(1, id, hasRun(1))
  const [run] = await world.first.runsOf(workflowId)
  const { inputs: received } = (run?.init.spec ?? {}) as { readonly inputs?: unknown }
  assert.deepEqual(received, { channel: 'stable' })
})

test('schedules are listed by workflow, worktree and status, and a deleted one is not listed', async (t) => {
  const world = await stage(t, inMemory)
  const [a, b] = [await nightly(world), await nightly(world)]
  await world.change('pauseSchedule', { scheduleId: b.schedule.id })
  const listed = async (input: Input = {}) => {
    const { nodes } = await world.first.execute<{ nodes: readonly Schedule[] }>('schedules', input)
    return nodes.map(({ id }) => id)
  }
  assert.deepEqual(await listed(), [b.schedule.id, a.schedule.id])
  assert.deepEqual(await listed({ workflowId: a.workflowId }), [a.schedule.id])
  assert.deepEqual(await listed({ worktreeId: b.worktreeId }), [b.schedule.id])
  assert.deepEqual(await listed({ statuses: ['PAUSED'] }), [b.schedule.id])
  await world.change('deleteSchedule', { scheduleId: a.schedule.id })
  assert.deepEqual(await listed(), [b.schedule.id])
  assert.deepEqual(await listed({ statuses: ['DELETED'] }), [a.schedule.id])
})
