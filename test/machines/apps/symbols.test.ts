/** Crash reports and dSYMs meet at the images: in whatever order words arrive, a report ends up knowing what there is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppContext } from '../../../machines/apps/app.ts'
import type { Announcement, BinaryImageContext } from '../../../machines/apps/binaryImage.ts'
import { binaryImageMembers } from '../../../machines/apps/binaryImageKeys.ts'
import type { BuildCount, CrashGroupContext } from '../../../machines/apps/crashGroup.ts'
import { crashGroupMembers } from '../../../machines/apps/crashGroupKeys.ts'
import type { CrashContext, Symbolication, Wanted } from '../../../machines/apps/crashReport.ts'
import { crashReportMembers } from '../../../machines/apps/crashReportKeys.ts'
import { fanOut } from '../../../machines/framework/act.ts'
import { imagesMax } from '../../../spec/apps/binaryImages.ts'
import { idOfUuid, kindOfId, uuidOf } from '../../../spec/core/ids.ts'
import { at, inits } from '../../kit/runtime/samples/samples.ts'
import { UnorderedActors } from '../../kit/runtime/unorderedActors.ts'
import { Random } from '../../longRuns/soak/random.ts'

const uuids = [1, 2, 3].map((n) => `0000000${n}-0000-4000-8000-000000000000`)
const [first = ''] = uuids
const image = (uuid: string) => ({ name: 'App', uuid, arch: 'arm64' })
const imageId = (uuid: string) => idOfUuid('binaryImage', uuid)
const app = { kind: 'app', id: 'app_1' } as const
const crashRef = (n: number) => ({ kind: 'crashReport', id: `crs_${String(n).padStart(4, '0')}` }) as const
const dsymRef = (n: number) => ({ kind: 'dsym', id: `dsy_${n}` }) as const

function world(): UnorderedActors {
  const made = new UnorderedActors()
  made.now = at
  made.create(app, inits.app)
  return made
}
const crash = (one: UnorderedActors, n: number, of: readonly string[], there: readonly string[] = [], named = 0) => {
  one.create(crashRef(n), {
    ...inits.crashReport,
    reportId: `r${n}`,
    frames: { total: of.length + named, named, unnamed: of.length },
    wantedCount: of.length,
    group: placeOf([]),
    hasSymbols: of.some((uuid) => there.includes(uuid)),
  })
  one.send(crashRef(n), { type: 'wants', images: of.map((uuid) => ({ ...image(uuid), ...seen(one, uuid, there) })) })
}
/** Reports whose names come from the same images are in one group. */
const placeOf = (named: readonly string[]) => ({
  id: `cgr_${named.map((uuid) => uuids.indexOf(uuid)).join('')}`,
  exceptionType: 'EXC_BREAKPOINT',
  frames: [],
})
/** The symbols that the recording of a report finds. */
const seen = (one: UnorderedActors, uuid: string, there: readonly string[]) => ({
  there: there.includes(uuid),
  revision: there.includes(uuid) ? one.context<BinaryImageContext>(imageId(uuid)).revision : 0,
})
const dsym = (one: UnorderedActors, n: number, of: readonly string[]) =>
  one.create(dsymRef(n), { ...inits.dsym, images: of.map(image), key: `k${n}` })
const table = (one: UnorderedActors, uuid: string, rank = 1) => {
  one.create({ kind: 'binaryImage', id: imageId(uuid) }, { uuid, createdAt: at })
  const written = { blob: `symbol-tables/${uuid}`, size: 8192, textAddress: '100000000', rank }
  one.send({ kind: 'binaryImage', id: imageId(uuid) }, { type: 'tableWritten', table: written })
}
const deliverAll = (one: UnorderedActors) => {
  while (one.mail.length > 0) one.deliver(0)
}

/** The result of a symbolication: each image with a table names one frame. */
function resultFor(one: UnorderedActors, crashId: string): Symbolication {
  const { members, init } = one.context<CrashContext>(crashId)
  const images = [...members.range(crashReportMembers.image.prefix)].map(([key]) => {
    const uuid = crashReportMembers.image.toId(key)
    const found = one.context<BinaryImageContext | undefined>(imageId(uuid))
    const there = (found?.dsyms ?? 0) > 0
    return { uuid, there, revision: found?.revision ?? 0, hasTable: there && found?.table !== null }
  })
  const namedBy = images.filter(({ hasTable }) => hasTable).map(({ uuid }) => uuid)
  const named = namedBy.length
  return {
    images: images.map(({ uuid, there, revision }) => ({ uuid, there, revision })),
    result:
      named === 0
        ? null
        : {
            named: init.frames.named + named,
            unnamed: images.length - named,
            symbols: `s${one.log.length}`,
            group: placeOf(namedBy),
          },
  }
}

const wantedAt = (one: UnorderedActors, crashId: string, uuid: string) =>
  one.context<CrashContext>(crashId).members.get(crashReportMembers.image.toKey(uuid)) as Wanted | undefined

/** Reports that one call of the effect symbolicates. */
const batch = 2

/** Carries out a symbolication that was requested. @returns the reports in their order */
function carryOut(one: UnorderedActors, index: number): readonly string[] {
  const [requested] = one.symbolications.splice(index, 1)
  if (requested === undefined) return []
  if (requested.type === 'symbolicateReport') {
    one.send(requested.from, { type: 'symbolicated', ...resultFor(one, requested.from.id) })
    return [requested.from.id]
  }
  const { revision, before } = requested.params as Announcement
  const members = one.context<BinaryImageContext>(requested.from.id).members.range(binaryImageMembers.crash.prefix)
  const ids = [...members].map(([key]) => binaryImageMembers.crash.toId(key)).reverse()
  const part = ids.filter((id) => before === null || id < before).slice(0, batch)
  const { uuid } = requested.params as Announcement
  const late = part.filter((id) => (wantedAt(one, id, uuid)?.used ?? 0) < revision)
  for (const id of late) one.send({ kind: 'crashReport', id }, { type: 'symbolicated', ...resultFor(one, id) })
  const downTo = part.at(-1) ?? before
  one.send(requested.from, { type: 'announced', revision, downTo, isEnd: part.length < batch })
  return late
}

/** Delivers all messages, and carries out all effects and timers, until none is left. @returns the reports in the order of their symbolication */
function settle(one: UnorderedActors, pick: (count: number) => number = () => 0): readonly string[] {
  const order: string[] = []
  for (;;) {
    const timers = one.timers()
    const count = one.mail.length + one.symbolications.length + timers.length
    if (count === 0) return order
    const next = pick(count)
    const effect = next - one.mail.length
    const timer = timers[effect - one.symbolications.length]
    if (next < one.mail.length) one.deliver(next)
    else if (timer === undefined) order.push(...carryOut(one, effect))
    else one.fire(timer.id, timer.timer)
  }
}
/** Reports that an image remembers. */
const waitingAt = (one: UnorderedActors, uuid: string) =>
  [...one.context<BinaryImageContext>(imageId(uuid)).members.range(binaryImageMembers.crash.prefix)].length
const groupsIn = (one: UnorderedActors) =>
  [...one.actors.values()].filter(({ ref }) => ref.kind === 'crashGroup').map(({ ref }) => ref.id)
/** The groups that count a report. */
const groupsOf = (one: UnorderedActors, n: number) =>
  groupsIn(one).filter((id) =>
    one.context<CrashGroupContext>(id).members.has(crashGroupMembers.report.toKey(crashRef(n).id)),
  )
/** The binary images that the recording of a report finds. */
const knownNow = (one: UnorderedActors) => uuids.filter((uuid) => one.state(imageId(uuid)) === 'KNOWN')
const missing = (one: UnorderedActors, n: number) => one.context<CrashContext>(crashRef(n).id).missing

/** The numbers of a group are those of the reports that it has. */
function checkCounts({ members, reports }: CrashGroupContext, log: string): void {
  const { report, build, day } = crashGroupMembers
  const values = (prefix: string) => [...members.range(prefix)].map(([, value]) => value)
  const sum = (counts: readonly unknown[]) => counts.reduce<number>((total, count) => total + Number(count), 0)
  const inside = values(report.prefix).length
  const ofBuilds = sum(values(build.prefix).map((value) => (value as BuildCount).count))
  assert.deepEqual([reports, ofBuilds, sum(values(day.prefix))], [inside, inside, inside], log)
}

function settleUntil(one: UnorderedActors, isReached: () => boolean): void {
  while (!isReached()) {
    const [timer] = one.timers()
    if (one.mail.length > 0) one.deliver(0)
    else if (timer !== undefined) one.fire(timer.id, timer.timer)
    else assert.fail('nothing is left to happen')
  }
}

test('the ID of an image is derived from its UUID, and the UUID from the ID', () => {
  const uuid = 'FEDCBA98-7654-4210-89AB-CDEF01234567'
  assert.equal(kindOfId(imageId(uuid)), 'binaryImage')
  assert.equal(uuidOf(imageId(uuid)).toUpperCase(), uuid)
})

test('an image whose frames all have names is not missing, and its symbols add lines', () => {
  const one = world()
  const frames = { total: 1, named: 1, unnamed: 0 }
  one.create(crashRef(1), { ...inits.crashReport, reportId: 'r1', frames, wantedCount: 0, group: placeOf([]) })
  one.send(crashRef(1), { type: 'wants', images: [{ ...image(first), onlyLines: true, there: false, revision: 0 }] })
  const now = () => [one.state(crashRef(1).id), missing(one, 1), wantedAt(one, crashRef(1).id, first)?.there]
  assert.deepEqual(settle(one), [])
  assert.deepEqual(now(), ['SYMBOLICATED', 0, false])
  dsym(one, 1, [first])
  table(one, first)
  assert.deepEqual(settle(one), [crashRef(1).id])
  assert.deepEqual(now(), ['SYMBOLICATED', 0, true])
  assert.notEqual(one.context<CrashContext>(crashRef(1).id).symbols, null)
  one.send(dsymRef(1), { type: 'delete' })
  settle(one)
  assert.deepEqual(now(), ['SYMBOLICATED', 0, false])
  assert.equal(one.context<CrashContext>(crashRef(1).id).symbols, null)
})

test('reports, dSYMs, tables and deletions become consistent in any order of the messages and effects', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = new Random(seed)
    const one = world()
    const acts = [
      ...[1, 2, 3].map((n) => () => crash(one, n, uuids.slice(0, n), knownNow(one))),
      ...[1, 2, 3].map((n) => () => dsym(one, n, uuids.slice(n - 1, n + 1))),
      ...uuids.slice(0, 2).map((uuid) => () => table(one, uuid)),
    ]
    const deletions = [1, 3].filter(() => random.chance(0.5))
    while (acts.length > 0) {
      acts.splice(random.below(acts.length), 1)[0]?.()
      for (let n = random.below(4); n > 0 && one.mail.length > 0; n--) one.deliver(random.below(one.mail.length))
      if (one.symbolications.length > 0 && random.chance(0.5)) carryOut(one, random.below(one.symbolications.length))
    }
    for (const n of deletions) one.send(dsymRef(n), { type: 'delete' })
    settle(one, (count) => random.below(count))
    const gone = new Set(deletions)
    const known = uuids.filter((_, index) => [1, 2, 3].some((n) => !gone.has(n) && index >= n - 1 && index < n + 1))
    for (const n of [1, 2, 3]) {
      const own = uuids.slice(0, n)
      const expected = own.filter((uuid) => !known.includes(uuid)).length
      const { members, frames } = one.context<CrashContext>(crashRef(n).id)
      const log = `seed ${seed}, report ${n}\n${one.log.join('\n')}`
      assert.equal(missing(one, n), expected, log)
      for (const [key, value] of members.range(crashReportMembers.image.prefix)) {
        const { dsyms, revision } = one.context<BinaryImageContext>(imageId(crashReportMembers.image.toId(key)))
        const { there, used = 0, revision: seenRevision } = value as Wanted
        assert.equal(there, dsyms > 0, log)
        // A report that never had symbols of an image loses nothing with them.
        assert.deepEqual([seenRevision, used || !there], [revision, used === 0 ? true : revision], log)
      }
      const tables = own.filter((uuid) => one.context<BinaryImageContext>(imageId(uuid)).table !== null)
      const namedBy = tables.filter((uuid) => known.includes(uuid))
      const named = namedBy.length
      assert.deepEqual([frames.named, frames.unnamed], [named, n - named], log)
      assert.deepEqual(groupsOf(one, n), [placeOf(namedBy).id], log)
      const state =
        named === n
          ? 'SYMBOLICATED'
          : named > 0
            ? 'PARTIALLY_SYMBOLICATED'
            : expected > 0
              ? 'WAITING_FOR_SYMBOLS'
              : 'RECEIVED'
      assert.equal(one.state(crashRef(n).id).split('.')[0], state, log)
    }
    for (const id of groupsIn(one))
      checkCounts(one.context<CrashGroupContext>(id), `seed ${seed}, ${id}\n${one.log.join('\n')}`)
  }
})

test('when symbols arrive, the newest reports are symbolicated first, and each report once', () => {
  const one = world()
  const count = 9
  for (let n = 0; n < count; n++) crash(one, n, [first])
  settle(one)
  dsym(one, 1, [first])
  table(one, first)
  const order = settle(one)
  assert.deepEqual(
    order,
    Array.from({ length: count }, (_, n) => crashRef(count - 1 - n).id),
  )
  for (let n = 0; n < count; n++) assert.equal(one.state(crashRef(n).id), 'SYMBOLICATED')
})

test('a better table symbolicates all reports again, the newest first, and a worse table changes nothing', () => {
  const one = world()
  for (let n = 0; n < 5; n++) crash(one, n, [first])
  dsym(one, 1, [first])
  table(one, first, 2)
  settle(one)
  table(one, first, 1)
  assert.deepEqual(settle(one), [], 'a worse table changes nothing')
  table(one, first, 3)
  settleUntil(one, () => one.symbolications.length > 0)
  carryOut(one, 0)
  table(one, first, 4)
  // The effect that was requested before goes on. Then the first ones are symbolicated again.
  assert.deepEqual(
    settle(one),
    [2, 1, 4, 3, 0].map((n) => crashRef(n).id),
  )
  for (let n = 0; n < 5; n++) {
    const { revision } = one.context<BinaryImageContext>(imageId(first))
    assert.equal(wantedAt(one, crashRef(n).id, first)?.used, revision, `report ${n}`)
  }
})

test('one transition can notify all images of the largest dSYM or report, and the app', () => {
  // Each image, and the app.
  assert.ok(imagesMax + 1 <= fanOut)
})

test('a report that arrives with some names is partially symbolicated, with and without the missing dSYM', () => {
  const one = world()
  crash(one, 1, [first], [], 3)
  assert.equal(one.state(crashRef(1).id), 'PARTIALLY_SYMBOLICATED')
  dsym(one, 1, [first])
  settle(one)
  assert.deepEqual([one.state(crashRef(1).id), missing(one, 1)], ['PARTIALLY_SYMBOLICATED', 0])
})

test('a report whose dSYM was only recorded is not missing it, and is symbolicated when the dSYM is uploaded', () => {
  const one = world()
  crash(one, 1, [first])
  dsym(one, 1, [first])
  settle(one)
  assert.deepEqual([one.state(crashRef(1).id), missing(one, 1)], ['RECEIVED.WITHOUT_TABLES', 0])
  table(one, first)
  settle(one)
  assert.equal(one.state(crashRef(1).id), 'SYMBOLICATED')
})

test('a report that is given up has ended, and its images remove it', () => {
  const one = world()
  for (const n of [1, 2, 3]) crash(one, n, [first])
  deliverAll(one)
  assert.equal(waitingAt(one, first), 3)
  one.send(crashRef(1), { type: 'giveUp' })
  deliverAll(one)
  assert.deepEqual([one.state(crashRef(1).id), waitingAt(one, first)], ['FAILED', 2])
})

test('a report waits for symbols without a deadline, and accepts symbols that arrive after years', () => {
  const one = world()
  crash(one, 1, [first])
  settle(one)
  assert.deepEqual(one.timers(), [])
  one.now += 3 * 365 * 86_400_000
  table(one, first)
  dsym(one, 1, [first])
  settle(one)
  assert.deepEqual([one.state(crashRef(1).id), missing(one, 1)], ['SYMBOLICATED', 0])
})

test('a report can want a thousand images in several messages, and no transition exceeds the limit of tells', () => {
  const one = world()
  const many = Array.from({ length: 1_000 }, (_, n) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`)
  one.create(crashRef(1), {
    ...inits.crashReport,
    wantedCount: many.length,
    frames: { total: many.length, named: 0, unnamed: many.length },
  })
  const deliver = () => {
    const before = one.mail.length
    one.deliver(0)
    assert.ok(one.mail.length - before < fanOut, 'no transition exceeds the limit of tells')
  }
  for (let from = 0; from < many.length; from += imagesMax) {
    const images = many.slice(from, from + imagesMax).map((uuid) => ({ ...image(uuid), there: false, revision: 0 }))
    one.send(crashRef(1), { type: 'wants', images })
    one.send(crashRef(1), { type: 'wants', images })
    assert.equal(missing(one, 1), many.length, 'nothing is there yet')
  }
  while (one.mail.length > 0) deliver()
  assert.equal(one.state(crashRef(1).id), 'WAITING_FOR_SYMBOLS')
  const last = many.at(-1) ?? ''
  dsym(one, 1, [last])
  settle(one)
  assert.equal(missing(one, 1), many.length - 1)
  one.send(crashRef(1), { type: 'giveUp' })
  while (one.mail.length > 0) deliver()
  // The images after the first ones learn it when they tell the report of their symbols.
  assert.deepEqual([waitingAt(one, many[0] ?? ''), waitingAt(one, last)], [0, 1])
})

test('a symbolication whose result arrives twice keeps its threads', () => {
  const one = world()
  crash(one, 1, [first])
  const result = { named: 1, unnamed: 0, symbols: 'n', group: placeOf([first]) }
  for (const revision of [1, 2]) {
    one.send(crashRef(1), { type: 'symbolsChanged', uuid: first, there: true, revision })
    one.send(crashRef(1), { type: 'symbolicated', images: [{ uuid: first, there: true, revision: 1 }], result })
  }
  assert.equal(one.context<CrashContext>(crashRef(1).id).symbols, 'n')
  assert.deepEqual(one.removedBlobs, [])
})

test('the version of a framework or an extension is no build of the app', () => {
  for (const [name, builds] of [
    ['Shop.app', 1],
    ['Pay.framework', 0],
    ['Widget.appex', 0],
    [undefined, 1],
  ] as const) {
    const one = world()
    one.create(dsymRef(1), { ...inits.dsym, ...(name === undefined ? {} : { name }), version: '5.4', build: '1' })
    deliverAll(one)
    assert.equal([...one.context<AppContext>(app.id).members.range('')].length, builds, name)
  }
})

test('an app records the build of several reports once', () => {
  const one = world()
  for (const n of [1, 2]) crash(one, n, [first])
  dsym(one, 1, [first])
  deliverAll(one)
  assert.equal(one.log.filter((line) => line.startsWith('app_1 buildSeen') && line.endsWith('ACTIVE')).length, 1)
})
