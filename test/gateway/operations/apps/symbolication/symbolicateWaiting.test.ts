/** When the symbols of an image change, its crash reports are symbolicated in parts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupOfCrash } from '../../../../../gateway/operations/apps/groups/groupOfCrash.ts'
import {
  type WaitingParts,
  WaitingReports,
} from '../../../../../gateway/operations/apps/symbolication/symbolicateWaiting.ts'
import { SymbolicationRuns } from '../../../../../gateway/operations/apps/symbolication/symbolicationRuns.ts'
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
  /** Reports that fail for a reason of their own. */
  readonly broken?: readonly string[]
  /** The present revision of the image. */
  readonly revision?: number
  /** Whether the folder of the blobs has files. */
  readonly isMounted?: boolean
  /** Whether the symbols of the image were uploaded. */
  readonly hasTable?: boolean
}

const table = { blob: 'symbol-tables/one', size: 8192, textAddress: '100000000', rank: 1 }

function setUp({ reports, ended = [], done = [], late = [], broken = [], ms = 1, failure, ...image }: Setting) {
  const { hasTable = true, revision = 2, isMounted = true } = image
  const all = Array.from({ length: reports }, (_, n) => crashId(n))
  const symbolicated: string[] = []
  const skipped: string[] = []
  const refused: string[] = []
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
              ? { context: { dsyms: 1, revision, table: hasTable ? table : null } }
              : { columns: { terminal: ended.includes(id) }, init: { appId: 'app_1', exceptionType: 'EXC_CRASH' } },
          ]),
        ),
      members: async (id: string) => [{ key: `image/${uuid}`, value: { used: done.includes(id) ? 2 : 1 } }],
    },
    threads: {
      readSent: async (id: string) => {
        if (broken.includes(id)) throw new Error('The report is not readable.')
        return new Uint8Array(1)
      },
      keepSymbolicated: async () => {},
    },
    symbolicator: {
      run: async ({ readContent }: { readContent: () => Promise<Uint8Array> }) => {
        await readContent()
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
        // The bounds of both waits, which are not reached.
        if (rest >= 8_000) return () => {}
        state.rests.push(rest)
        state.at += rest
        setImmediate(callback)
        return () => {}
      },
    },
    newName: () => 'n',
    damaged: () => {},
    refused: ({ problem }: { problem: string }) => refused.push(problem),
    blobs: { size: async () => (isMounted ? 8192 : undefined) },
    skipped: ({ crashId }: { crashId: string }) => skipped.push(crashId),
  } as unknown as ConstructorParameters<typeof SymbolicationRuns>[0] & Omit<WaitingParts, 'reports'>
  const announcement: Announcement = { imageId, uuid, revision: 2, before: null }
  const waiting = new WaitingReports({ ...parts, reports: new SymbolicationRuns(parts) })
  return { waiting, parts, symbolicated, skipped, refused, state, announcement }
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

test('a report that fails for a reason of its own tries again by itself, and the others are symbolicated', async () => {
  const { waiting, symbolicated, skipped, announcement } = setUp({ reports: 3, broken: [crashId(1)] })
  const event = await waiting.symbolicate(announcement)
  assert.deepEqual(event, { type: 'announced', revision: 2, downTo: crashId(0), isEnd: true })
  assert.deepEqual(symbolicated, [
    `${crashId(2)} symbolicated`,
    `${crashId(1)} symbolicationDelayed`,
    `${crashId(0)} symbolicated`,
  ])
  assert.deepEqual(skipped, [crashId(1)])
})

test('a call for symbols that have changed again does nothing', async () => {
  const { waiting, symbolicated, announcement } = setUp({ reports: 3, revision: 3 })
  const event = await waiting.symbolicate(announcement)
  assert.deepEqual(event, { type: 'announced', revision: 2, downTo: null, isEnd: true })
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
  assert.deepEqual(await new SymbolicationRuns(parts).symbolicate(crashId(0), 15_000), {
    ...{ type: 'symbolicated', images: [{ uuid, there: true, revision: 2 }] },
    result: { named: 1, unnamed: 0, symbols: 'n', group: await groupOfCrash('app_1', 'EXC_CRASH', []) },
  })
  const full = { ...parts, threads: { ...parts.threads, keepSymbolicated: () => Promise.reject(noRoom) } }
  assert.equal((await new SymbolicationRuns(full).symbolicate(crashId(0), 15_000)).type, 'symbolicationDelayed')
  const lost = { ...parts, threads: { ...parts.threads, readSent: async () => undefined } }
  assert.deepEqual(await new SymbolicationRuns(lost).symbolicate(crashId(0), 15_000), {
    ...{ type: 'symbolicationFailed', message: 'The threads of the report are lost.' },
  })
})

test('a storage that is not mounted, or that fails for a moment, is no fault of the report', async () => {
  const { parts } = setUp({ reports: 1, isMounted: false })
  const lost = { ...parts, threads: { ...parts.threads, readSent: async () => undefined } }
  const delayed = await new SymbolicationRuns(lost).symbolicate(crashId(0), 15_000)
  assert.equal(delayed.type, 'symbolicationDelayed')
  const many = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE', syscall: 'open' })
  for (const failure of [many, new Error('the thread has failed', { cause: many })]) {
    const { parts: failing, refused } = setUp({ reports: 1, failure })
    const outcome = await new SymbolicationRuns(failing).symbolicate(crashId(0), 15_000)
    assert.deepEqual(outcome, { type: 'symbolicationDelayed', message: failure.message })
    assert.deepEqual(refused, [failure.message])
  }
})

test('without a symbol table no thread is used and nothing is stored', async () => {
  const { parts } = setUp({ reports: 1, hasTable: false, failure: new Error('a thread was used') })
  const silent = { ...parts, threads: { ...parts.threads, keepSymbolicated: () => Promise.reject(noRoom) } }
  assert.deepEqual(await new SymbolicationRuns(silent).symbolicate(crashId(0), 15_000), {
    ...{ type: 'symbolicated', images: [{ uuid, there: true, revision: 2 }], result: null },
  })
})

const noRoom = new Failure('INSUFFICIENT_STORAGE', 'The server has no room.')
