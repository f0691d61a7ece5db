/** A queue of thousands, listed: every entry, in the queue's own order, with its position and what it waits for. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { operations } from '../../../gateway/operations/operations.ts'
import type { QueueEntry } from '../../../gateway/operations/worktrees/queueEntries.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import type { Views } from '../../../storage/ports/views.ts'
import { settled } from '../../kit/runtime/manualClock.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { startWorktree, type WorktreeSystem } from '../../kit/runtime/worktreeSystem.ts'

const count = 3_000
const kindOf = (n: number): 'PLAN' | 'SESSION' => (n % 3 === 0 ? 'PLAN' : 'SESSION')

let started: WorktreeSystem
/** Those that wait, in their order. */
const runs: string[] = []
/** How many rows were asked for at once. */
let most = 0
let views: Views

/**
 * Two runs have begun, one of each kind. The others wait. They arrive in groups of 50, in the reverse order of their IDs. Their positions
 * follow from the time at which the queue accepted them.
 */
before(async () => {
  started = await startWorktree()
  const made = Array.from({ length: count + 2 }, () => started.newId('run'))
  const ids: string[] = []
  while (made.length > 0) {
    const fifty = made.splice(-50)
    await Promise.all(fifty.map((id, n) => started.run(id, { kind: kindOf(ids.length + n), number: ids.length + n })))
    await started.clock.leap(1)
    ids.push(...fifty)
  }
  const placed: { readonly id: string; readonly at: number }[] = []
  for (const id of ids) {
    const state = await untilPlaced(id)
    if (state.status === 'QUEUED') placed.push({ id, at: state.at })
  }
  placed.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
  runs.push(...placed.map(({ id }) => id))
  assert.equal(runs.length, count)
  assert.notDeepEqual(runs, [...runs].sort())
  const inner = started.storage.views
  views = new Proxy(inner, {
    get: (target, name) => {
      const own: unknown = Reflect.get(target, name)
      if (typeof own !== 'function') return own
      return async (...args: unknown[]) => {
        if (name === 'getMany') most = Math.max(most, (args[1] as unknown[]).length)
        return await own.apply(target, args)
      }
    },
  })
})

/** A queue that has too much to do is asked again later. */
async function untilPlaced(id: string): Promise<{ readonly status: string; readonly at: number }> {
  for (let tries = 0; tries < 100; tries++) {
    const row = await started.system.peek({ kind: 'run', id })
    const queue = row?.context.queue as { readonly queuedAt: number | null } | undefined
    if (row && typeof queue?.queuedAt === 'number') return { status: row.columns.status, at: queue.queuedAt }
    await started.clock.leap(1_000)
  }
  return assert.fail(`${id} has no place in the queue`)
}

async function read(worktreeId: string): Promise<readonly QueueEntry[]> {
  const operation = operations.find(({ name }) => name === 'worktreeRunQueue')
  const ask = operation?.kind === 'query' ? operation.read : assert.fail('no worktreeRunQueue')
  return (await ask({ worktreeId } as never, { views } as never)) as readonly QueueEntry[]
}

test('all of 3,000 entries are listed, in the order of the queue and with their positions', async () => {
  const entries = await read(started.worktree.id)
  assert.deepEqual(
    entries.map(({ id }) => id),
    runs,
  )
  assert.deepEqual(
    entries.map(({ position }) => position),
    runs.map((_, n) => n + 1),
  )
  assert.ok(most <= 1_000, `${most} rows in memory at once`)
})

test('each entry has its kind and what it waits for', async () => {
  const entries = await read(started.worktree.id)
  const heads = new Map<string, string>()
  for (const { id, kind, displayNumber, blockedBy } of entries) {
    assert.equal(kind, kindOf(displayNumber))
    const head = heads.get(kind)
    if (head === undefined) assert.equal(blockedBy.reason, 'CONCURRENCY_LIMIT')
    else assert.deepEqual([blockedBy.reason, blockedBy.runIds], ['SAME_KIND_AHEAD', [head]])
    heads.set(kind, head ?? id)
  }
  assert.equal(heads.size, 2)
})

test('a canceled run leaves the list, and the runs after it move up', async () => {
  const [gone = ''] = runs.splice(1_500, 1)
  await started.ask({ kind: 'run', id: gone }, { type: 'cancel' })
  const entries = await read(started.worktree.id)
  assert.deepEqual(
    entries.map(({ id, position }) => [id, position]),
    runs.map((id, n) => [id, n + 1]),
  )
})

test('the runs of a workflow are listed with their positions in the whole queue', async () => {
  const queued = runs.slice(0, 8)
  const workflow = { kind: 'workflow', id: siblingId('workflow', started.worktree.id) } as const
  await started.ask(workflow, { type: 'create' }, inits.workflow)
  const late: string[] = []
  for (let n = 0; n < 3; n++) {
    const id = started.newId('run')
    late.push(id)
    await started.run(id, { kind: 'SESSION', ownerId: workflow.id, number: n })
  }
  await settled()
  assert.deepEqual(
    (await read(workflow.id)).map(({ id, position }) => [id, position]),
    late.map((id, n) => [id, runs.length + n + 1]),
  )
  assert.equal((await read(started.worktree.id)).length, runs.length + late.length)
  assert.deepEqual(
    (await read(started.worktree.id)).slice(0, 8).map(({ id }) => id),
    queued,
  )
})
