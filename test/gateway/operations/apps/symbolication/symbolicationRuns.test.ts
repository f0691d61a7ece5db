/** A symbolication may take longer than the claim of its effect lasts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { WaitingReports } from '../../../../../gateway/operations/apps/symbolication/symbolicateWaiting.ts'
import { SymbolicationRuns } from '../../../../../gateway/operations/apps/symbolication/symbolicationRuns.ts'
import { idOfUuid } from '../../../../../spec/core/ids.ts'
import { ManualClock } from '../../../../kit/runtime/manualClock.ts'

const uuid = '0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0'
const imageId = idOfUuid('binaryImage', uuid)
const table = { blob: 'symbol-tables/one', size: 8192, textAddress: '100000000', rank: 1 }
const result = { content: new Uint8Array(1), named: 1, unnamed: 0, place: [], damaged: [] }

function setUp() {
  const clock = new ManualClock()
  const image = { dsyms: 1, revision: 1, table }
  const ends: PromiseWithResolvers<typeof result>[] = []
  const begin = () => {
    const end = Promise.withResolvers<typeof result>()
    ends.push(end)
    return end.promise
  }
  const runs = new SymbolicationRuns({
    views: {
      getMany: async (kind: string, ids: readonly string[]) =>
        new Map(
          ids.map((id) => [
            id,
            kind === 'binaryImage'
              ? { context: { ...image } }
              : { columns: { terminal: false }, init: { appId: 'app_1', exceptionType: 'EXC_CRASH' } },
          ]),
        ),
      members: async () => [{ key: `image/${uuid}`, value: {} }],
    },
    threads: { readSent: async () => new Uint8Array(1), keepSymbolicated: async () => {} },
    symbolicator: { run: begin },
    newName: () => `n${ends.length}`,
    damaged: () => {},
    clock,
  } as never)
  const symbolicate = async () => {
    const asked = runs.symbolicate('crs_1', 15_000)
    await clock.advance(0)
    return asked
  }
  return { clock, image, ends, runs, symbolicate }
}

/** The promise is wrapped, so that it is not awaited. */
async function begun<T>(clock: ManualClock, start: () => Promise<T>): Promise<{ readonly outcome: Promise<T> }> {
  const outcome = start()
  await clock.advance(0)
  return { outcome }
}

test('an attempt ends after 15 s, the symbolication goes on, and the next attempt has its result', async () => {
  const { clock, ends, symbolicate } = setUp()
  const first = await begun(clock, symbolicate)
  await clock.advance(15_000)
  assert.equal((await first.outcome).type, 'symbolicationDelayed')
  const second = await begun(clock, symbolicate)
  ends[0]?.resolve(result)
  assert.equal((await second.outcome).type, 'symbolicated')
  assert.equal(ends.length, 1)
})

test('a result for which no attempt waits is kept for a minute', async () => {
  for (const [ms, begins] of [
    [59_000, 1],
    [61_000, 2],
  ] as const) {
    const { clock, ends, symbolicate } = setUp()
    const first = await begun(clock, symbolicate)
    await clock.advance(15_000)
    await first.outcome
    ends[0]?.resolve(result)
    // The ID of the group is computed on another thread.
    await setTimeout(50)
    await clock.advance(ms)
    const second = await begun(clock, symbolicate)
    ends[1]?.resolve(result)
    assert.equal((await second.outcome).type, 'symbolicated')
    assert.equal(ends.length, begins)
  }
})

test('later symbols need another symbolication', async () => {
  const { clock, image, ends, symbolicate } = setUp()
  const first = await begun(clock, symbolicate)
  await clock.advance(15_000)
  await first.outcome
  image.revision = 2
  const second = await begun(clock, symbolicate)
  ends[1]?.resolve(result)
  const outcome = await second.outcome
  assert.ok(outcome.type === 'symbolicated')
  assert.equal(outcome.images[0]?.revision, 2)
})

test('an image waits 8 s for the images before it, and then 10 s for a report', async () => {
  const { clock, runs, image } = setUp()
  image.revision = 2
  const waiting = new WaitingReports({
    reports: runs,
    views: {
      getMany: async (kind: string, ids: readonly string[]) =>
        new Map(ids.map((id) => [id, kind === 'binaryImage' ? { context: image } : { columns: { terminal: false } }])),
      lastMemberKeys: async () => ['crash/crs_1'],
      members: async () => [{ key: `image/${uuid}`, value: {} }],
    },
    skipped: () => {},
    clock,
  } as never)
  const announcement = { imageId, uuid, revision: 2, before: null }
  const [first, second] = [
    await begun(clock, () => waiting.symbolicate(announcement)),
    await begun(clock, () => waiting.symbolicate(announcement)),
  ]
  await clock.advance(8_000)
  assert.equal((await second.outcome).type, 'announcingDelayed')
  await clock.advance(2_001)
  assert.equal((await first.outcome).type, 'announcingDelayed')
})
