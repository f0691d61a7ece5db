/** Crash reports and dSYMs meet at the images: in whatever order words arrive, a report ends up knowing what there is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BinaryImageContext } from '../../../machines/apps/binaryImage.ts'
import { binaryImageMembers } from '../../../machines/apps/binaryImageKeys.ts'
import type { CrashContext } from '../../../machines/apps/crashReport.ts'
import { crashReportMembers } from '../../../machines/apps/crashReportKeys.ts'
import { fanOut } from '../../../machines/framework/act.ts'
import { imagesMax } from '../../../spec/apps/binaryImages.ts'
import { idOfUuid, kindOfId, uuidOf } from '../../../spec/core/ids.ts'
import { at, inits } from '../../kit/runtime/samples.ts'
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
  })
  one.send(crashRef(n), { type: 'wants', images: of.map((uuid) => ({ ...image(uuid), there: there.includes(uuid) })) })
}
const dsym = (one: UnorderedActors, n: number, of: readonly string[]) =>
  one.create(dsymRef(n), { ...inits.dsym, images: of.map(image), key: `k${n}` })
const deliverAll = (one: UnorderedActors) => {
  while (one.mail.length > 0) one.deliver(0)
}
/** Reports that an image remembers. */
const waitingAt = (one: UnorderedActors, uuid: string) =>
  [...one.context<BinaryImageContext>(imageId(uuid)).members.range(binaryImageMembers.crash.prefix)].length
/** The binary images that the recording of a report finds. */
const knownNow = (one: UnorderedActors) => uuids.filter((uuid) => one.state(imageId(uuid)) === 'KNOWN')
const missing = (one: UnorderedActors, n: number) => one.context<CrashContext>(crashRef(n).id).missing

test('an image is found from its UUID, and the UUID from the image', () => {
  const uuid = 'FEDCBA98-7654-4210-89AB-CDEF01234567'
  assert.equal(kindOfId(imageId(uuid)), 'binaryImage')
  assert.equal(uuidOf(imageId(uuid)).toUpperCase(), uuid)
})

test('in any order of what is said, reports, dSYMs and deletions come to agree', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = new Random(seed)
    const one = world()
    const acts = [
      ...[1, 2, 3].map((n) => () => crash(one, n, uuids.slice(0, n), knownNow(one))),
      ...[1, 2, 3].map((n) => () => dsym(one, n, uuids.slice(n - 1, n + 1))),
    ]
    const deletions = [1, 3].filter(() => random.chance(0.5))
    while (acts.length > 0) {
      acts.splice(random.below(acts.length), 1)[0]?.()
      for (let n = random.below(4); n > 0 && one.mail.length > 0; n--) one.deliver(random.below(one.mail.length))
    }
    for (const n of deletions) one.send(dsymRef(n), { type: 'delete' })
    while (one.mail.length > 0) one.deliver(random.below(one.mail.length))
    const gone = new Set(deletions)
    const known = uuids.filter((_, index) => [1, 2, 3].some((n) => !gone.has(n) && index >= n - 1 && index < n + 1))
    for (const n of [1, 2, 3]) {
      const expected = uuids.slice(0, n).filter((uuid) => !known.includes(uuid)).length
      const { members } = one.context<CrashContext>(crashRef(n).id)
      const said = `seed ${seed}, report ${n}\n${one.log.join('\n')}`
      assert.equal(missing(one, n), expected, said)
      assert.equal(
        [...members.range(crashReportMembers.image.prefix)].filter(([, value]) => !(value as { there: boolean }).there)
          .length,
        expected,
      )
      assert.equal(one.state(crashRef(n).id), expected > 0 ? 'WAITING_FOR_SYMBOLS' : 'RECEIVED', said)
    }
  }
})

test('no step tells more than it may, however many reports wait', () => {
  const one = world()
  const count = 2 * fanOut + 50
  for (let n = 0; n < count; n++) crash(one, n, [first])
  deliverAll(one)
  dsym(one, 1, [first])
  while (one.mail.length > 0) {
    const before = one.mail.length
    one.deliver(0)
    assert.ok(one.mail.length - before < fanOut + 1, `${one.mail.length - before + 1} at once`)
  }
  for (let n = 0; n < count; n++) assert.equal(missing(one, n), 0)
})

test('a word to all that was overtaken by the next one is not gone on with', () => {
  const one = world()
  for (let n = 0; n < fanOut + 5; n++) crash(one, n, [first])
  deliverAll(one)
  dsym(one, 1, [first])
  const more = () => one.mail.findIndex(({ tell }) => tell.event.type === 'tellMore')
  while (more() < 0) one.deliver(0)
  one.send(dsymRef(1), { type: 'delete' })
  while (one.mail.length > 0) one.deliver(one.mail.length - 1)
  for (let n = 0; n < fanOut + 5; n++) assert.equal(missing(one, n), 1, `report ${n}`)
})

test('what one dSYM or one report is bounded by can be told in one step', () => {
  // Each image, and the app.
  assert.ok(imagesMax + 1 <= fanOut)
})

test('a report that came with names is partially symbolicated, whatever is missing', () => {
  const one = world()
  crash(one, 1, [first], [], 3)
  assert.equal(one.state(crashRef(1).id), 'PARTIALLY_SYMBOLICATED')
  dsym(one, 1, [first])
  deliverAll(one)
  assert.deepEqual([one.state(crashRef(1).id), missing(one, 1)], ['PARTIALLY_SYMBOLICATED', 0])
})

test('what is symbolicated is over, and its images forget it', () => {
  const one = world()
  for (const n of [1, 2, 3]) crash(one, n, [first])
  deliverAll(one)
  assert.equal(waitingAt(one, first), 3)
  one.send(crashRef(1), { type: 'symbolicated', named: 1, unnamed: 0 })
  deliverAll(one)
  assert.deepEqual([one.state(crashRef(1).id), waitingAt(one, first)], ['SYMBOLICATED', 2])
})

test('a report waits for symbols without a deadline, and takes those that come after years', () => {
  const one = world()
  crash(one, 1, [first])
  deliverAll(one)
  assert.deepEqual(one.timers(), [])
  one.now += 3 * 365 * 86_400_000
  dsym(one, 1, [first])
  deliverAll(one)
  assert.deepEqual([one.state(crashRef(1).id), missing(one, 1)], ['RECEIVED', 0])
  one.send(crashRef(1), { type: 'symbolicated', named: 1, unnamed: 0 })
  assert.equal(one.state(crashRef(1).id), 'SYMBOLICATED')
})

test('a report wants a thousand images, told in parts; no step tells more than it may, and all forget it in the end', () => {
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
    assert.ok(one.mail.length - before < fanOut, 'no step tells more than it may')
  }
  for (let from = 0; from < many.length; from += imagesMax) {
    const images = many.slice(from, from + imagesMax).map((uuid) => ({ ...image(uuid), there: false }))
    one.send(crashRef(1), { type: 'wants', images })
    one.send(crashRef(1), { type: 'wants', images })
    assert.equal(missing(one, 1), many.length, 'nothing is there yet')
  }
  while (one.mail.length > 0) deliver()
  assert.equal(one.state(crashRef(1).id), 'WAITING_FOR_SYMBOLS')
  const last = many.at(-1) ?? ''
  dsym(one, 1, [last])
  deliverAll(one)
  assert.equal(missing(one, 1), many.length - 1)
  one.send(crashRef(1), { type: 'symbolicated', named: many.length, unnamed: 0 })
  while (one.mail.length > 0) deliver()
  // The first ones receive tells. Another one removes the report when its symbols change and the report refuses the tell.
  assert.deepEqual([waitingAt(one, many[0] ?? ''), waitingAt(one, last)], [0, 1])
  one.send(dsymRef(1), { type: 'delete' })
  deliverAll(one)
  assert.equal(waitingAt(one, last), 0)
})

test('a report tells its app of its build once', () => {
  const one = world()
  for (const n of [1, 2]) crash(one, n, [first])
  dsym(one, 1, [first])
  deliverAll(one)
  assert.equal(one.log.filter((line) => line.startsWith('app_1 buildSeen') && line.endsWith('ACTIVE')).length, 1)
})
