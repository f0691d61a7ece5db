/** When the symbols of an image change, its crash reports are symbolicated in parts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupOfCrash } from '../../../../../gateway/operations/apps/groups/groupOfCrash.ts'
import { symbolicateReport } from '../../../../../gateway/operations/apps/symbolication/symbolicateReport.ts'
import {
  type WaitingParts,
  WaitingReports,
} from '../../../../../gateway/operations/apps/symbolication/symbolicateWaiting.ts'
import { SymbolicationProblem } from '../../../../../gateway/operations/apps/symbolication/symbolicator.ts'
import type { Announcement } from '../../../../../machines/apps/binaryImage.ts'
import { binaryImageMembers } from '../../../../../machines/apps/binaryImageKeys.ts'
import { Failure } from '../../../../../spec/core/failure.ts'
import { idOfUuid } from '../../../../../spec/core/ids.ts'

const uuid = '0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0'
const imageId = idOfUuid('binaryImage', uuid)
const crashId = (n: number) => `crs_${String(n).padStart(4, '0')}`

interface Setting {
  /** Reports of the image. */
  readonly reports: number
  /** Reports that have ended. */
  readonly ended?: readonly string[]
  /** Reports that have the present symbols. */
  readonly done?: readonly string[]
  /** Reports that have ended when they get their names. */
  readonly late?: readonly string[]
  /** Milliseconds of one symbolication. */
  readonly ms?: number
  readonly failure?: Error
  /** Whether the symbols of the image were uploaded. */
  readonly hasTable?: boolean
}

const table = { blob: 'symbol-tables/one', size: 8192, textAddress: '100000000', rank: 1 }

function setUp({ reports, ended = [], done = [], late = [], ms = 1, failure, hasTable = true }: Setting) {
  const all = Array.from({ length: reports }, (_, n) => crashId(n))
  const symbolicated: string[] = []
  const state = { at: 0, running: 0, mostRunning: 0, rests: [] as number[] }
  const parts = {
    views: {
      lastMemberKeys: async (_id: string, prefix: string, before: string | undefined, limit: number) => {
        const keys = all.map(binaryImageMembers.crash.toKey).reverse()
        assert.equal(prefix, binaryImageMembers.crash.prefix)
        return keys.filter((key) => before === undefined || key < before).slice(0, limit)
      },
      getMany: async (kind: string, ids: readonly string[]) =>
        new Map(
          ids.map((id) => [
            id,
            kind === 'binaryImage'
              ? { context: { dsyms: 1, revision: 2, table: hasTable ? table : null } }
              : { columns: { terminal: ended.includes(id) }, init: { appId: 'app_1', exceptionType: 'EXC_CRASH' } },
          ]),
        ),
      members: async (id: string) => [{ key: `image/${uuid}`, value: { used: done.includes(id) ? 2 : 1 } }],
    },
    threads: { readSent: async () => new Uint8Array(1), keepSymbolicated: async () => {} },
    symbolicator: {
      run: async () => {
        state.running++
        state.mostRunning = Math.max(state.mostRunning, state.running)
        await new Promise(setImmediate)
        state.running--
        state.at += ms
        if (failure !== undefined) throw failure
        return { content: new Uint8Array(1), named: 1, unnamed: 0, place: [], damaged: [] }
      },
    },
    system: {
      ask: async ({ to, event }: { to: { id: string }; event: { type: string } }) => {
        if (late.includes(to.id)) throw new Failure('FAILED_PRECONDITION', 'It has ended.')
        symbolicated.push(`${to.id} ${event.type}`)
      },
    },
    clock: {
      now: () => 0,
      monotonic: () => state.at,
      after: (rest: number, callback: () => void) => {
        state.rests.push(rest)
        state.at += rest
        setImmediate(callback)
      },
    },
    newName: () => 'n',
    damaged: () => {},
  } as unknown as WaitingParts
  const announcement: Announcement = { imageId, uuid, revision: 2, before: null }
  return { waiting: new WaitingReports(parts), parts, symbolicated, state, announcement }
}

test('the newest reports are symbolicated first, at most 50 in one call, and the next call continues', async () => {
  const { waiting, symbolicated, announcement } = setUp({ reports: 120 })
  let before: string | null = null
  const sizes: number[] = []
  let next = 119
  for (;;) {
    const from = symbolicated.length
    const event = await waiting.symbolicate({ ...announcement, before })
    assert.ok(event.type === 'announced')
    assert.equal(event.revision, 2)
    const ofCall = symbolicated.slice(from)
    sizes.push(ofCall.length)
    const expected = ofCall.map(() => `${crashId(next--)} symbolicated`)
    assert.deepEqual(ofCall, expected)
    before = event.downTo
    if (event.isEnd) break
  }
  assert.deepEqual(sizes, [50, 50, 20])
})

test('a call begins no more reports after 5 s, and finishes the one that it has begun', async () => {
  for (const [ms, count] of [
    [2_000, 2],
    [60_000, 1],
  ] as const) {
    const { waiting, symbolicated, announcement } = setUp({ reports: 5, ms })
    assert.deepEqual(await waiting.symbolicate(announcement), {
      ...{ type: 'announced', revision: 2, downTo: crashId(5 - count), isEnd: false },
    })
    assert.deepEqual(symbolicated, [`${crashId(4)} symbolicated`, `${crashId(3)} symbolicated`].slice(0, count))
  }
})

test('after each report the work pauses twice as long as the report took, but at most half a second', async () => {
  for (const [ms, rest] of [
    [10, 20],
    [300, 500],
  ] as const) {
    const { waiting, state, announcement } = setUp({ reports: 3, ms, done: [crashId(1)] })
    await waiting.symbolicate(announcement)
    assert.deepEqual(state.rests, [rest, rest])
  }
})

test('a report that has ended, or has these symbols already, is skipped', async () => {
  const { waiting, symbolicated, announcement } = setUp({
    reports: 4,
    ended: [crashId(3)],
    done: [crashId(2)],
    late: [crashId(1)],
  })
  assert.deepEqual(await waiting.symbolicate(announcement), {
    ...{ type: 'announced', revision: 2, downTo: crashId(0), isEnd: true },
  })
  assert.deepEqual(symbolicated, [`${crashId(0)} symbolicated`])
})

test('an image without reports is done at once', async () => {
  const { waiting, announcement } = setUp({ reports: 0 })
  const end = { type: 'announced', revision: 2, downTo: null, isEnd: true }
  assert.deepEqual(await waiting.symbolicate(announcement), end)
})

test('one report is symbolicated at a time, however many images request it', async () => {
  const { waiting, state, announcement } = setUp({ reports: 10 })
  await Promise.all([1, 2, 3].map(() => waiting.symbolicate(announcement)))
  assert.equal(state.mostRunning, 1)
})

test('a storage that does not respond delays the image, and no report is skipped', async () => {
  const { waiting, symbolicated, announcement } = setUp({
    reports: 3,
    failure: new Failure('UNAVAILABLE', 'The storage does not answer.'),
  })
  const event = await waiting.symbolicate(announcement)
  assert.deepEqual(event, { type: 'announcingDelayed', message: 'The storage does not answer.' })
  assert.deepEqual(symbolicated, [])
})

test('a hostile report fails, and the others are symbolicated', async () => {
  const { waiting, symbolicated, announcement } = setUp({
    reports: 2,
    failure: new SymbolicationProblem('too complex'),
  })
  const event = await waiting.symbolicate(announcement)
  assert.equal(event.type, 'announced')
  assert.deepEqual(symbolicated, [`${crashId(1)} symbolicationFailed`, `${crashId(0)} symbolicationFailed`])
})

test('the event of a report has the revisions of the images whose symbols were used, and its group', async () => {
  const { parts } = setUp({ reports: 1 })
  assert.deepEqual(await symbolicateReport(crashId(0), parts), {
    ...{ type: 'symbolicated', images: [{ uuid, there: true, revision: 2 }] },
    result: { named: 1, unnamed: 0, symbols: 'n', group: await groupOfCrash('app_1', 'EXC_CRASH', []) },
  })
  const full = { ...parts, threads: { ...parts.threads, keepSymbolicated: () => Promise.reject(noRoom) } }
  assert.equal((await symbolicateReport(crashId(0), full)).type, 'symbolicationDelayed')
  const lost = { ...parts, threads: { ...parts.threads, readSent: async () => undefined } }
  assert.deepEqual(await symbolicateReport(crashId(0), lost), {
    ...{ type: 'symbolicationFailed', message: 'The threads of the report are lost.' },
  })
})

test('without a symbol table no thread is used and nothing is stored', async () => {
  const { parts } = setUp({ reports: 1, hasTable: false, failure: new Error('a thread was used') })
  const silent = { ...parts, threads: { ...parts.threads, keepSymbolicated: () => Promise.reject(noRoom) } }
  assert.deepEqual(await symbolicateReport(crashId(0), silent), {
    ...{ type: 'symbolicated', images: [{ uuid, there: true, revision: 2 }], result: null },
  })
})

const noRoom = new Failure('INSUFFICIENT_STORAGE', 'The server has no room.')
