/** Crash reports and dSYMs arrive in any order. A report lists its missing symbols, and is updated when symbols are added or removed. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type Crash,
  crashOf,
  deleteDsym,
  image,
  makeApp,
  newUuid,
  recordCrash,
  recordDsym,
  reportOf,
  symbolsOf,
} from '../../kit/program/objects/crashes.ts'
import { mutate } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let appId: string
const bundle = 'org.example.shop'

before(async () => {
  stage = await startTestProgram()
  appId = await makeApp(stage.ask, bundle)
})
after(() => stage?.end())

const untilMissing = (id: string, count: number) =>
  until(`${count} images to be missing`, async () => {
    const crash = await crashOf(stage.ask, id)
    return crash.missingImageCount === count ? crash : undefined
  })
const standing = ({ status, missingUuids }: Crash) => [status, [...missingUuids].sort()]

test('the status of a report depends on the images that its frames need and on the names that they have', async () => {
  const [a, b] = [newUuid(), newUuid()]
  const named = await recordCrash(stage.ask, reportOf(bundle, [a], [a]))
  assert.deepEqual(standing(named), ['SYMBOLICATED', []])
  assert.deepEqual([named.frameCount, named.namedFrameCount], [2, 1])
  const partly = await recordCrash(stage.ask, reportOf(bundle, [a, b], [a]))
  assert.deepEqual(standing(partly), ['PARTIALLY_SYMBOLICATED', [b]])
  const waiting = await recordCrash(stage.ask, reportOf(bundle, [a, b]))
  assert.deepEqual(standing(waiting), ['WAITING_FOR_SYMBOLS', [a, b].sort()])
})

test('if the dSYM arrives before the report, its images are not missing', async () => {
  const [known, unknown] = [newUuid(), newUuid()]
  await recordDsym(stage.ask, bundle, [known])
  await until('the image of the dSYM to be stored', async () => {
    const crash = await recordCrash(stage.ask, reportOf(bundle, [known]))
    return crash.status === 'RECEIVED' || undefined
  })
  const { id } = await recordCrash(stage.ask, reportOf(bundle, [known, unknown]))
  await until('the symbolication to find no names', async () => {
    const { status } = await crashOf(stage.ask, id)
    return status === 'WAITING_FOR_SYMBOLS' || undefined
  })
  assert.deepEqual(standing(await crashOf(stage.ask, id)), ['WAITING_FOR_SYMBOLS', [unknown]])
})

test('if the report arrives first, each dSYM reduces its missing images, and the deletion of a dSYM adds them again', async () => {
  const [a, b] = [newUuid(), newUuid()]
  const { id } = await recordCrash(stage.ask, reportOf(bundle, [a, b]))
  const first = await recordDsym(stage.ask, bundle, [a])
  assert.deepEqual(standing(await untilMissing(id, 1)), ['WAITING_FOR_SYMBOLS', [b]])
  const both = await recordDsym(stage.ask, bundle, [a.toLowerCase(), b])
  assert.deepEqual(standing(await untilMissing(id, 0)), ['RECEIVED', []])
  await deleteDsym(stage.ask, first)
  await deleteDsym(stage.ask, both)
  assert.deepEqual(standing(await untilMissing(id, 2)), ['WAITING_FOR_SYMBOLS', [a, b].sort()])
  await recordDsym(stage.ask, bundle, [a, b])
  assert.deepEqual(standing(await untilMissing(id, 0)), ['RECEIVED', []])
})

test('all 450 reports that wait for one image are updated when it arrives', async () => {
  const uuid = newUuid()
  const ids: string[] = []
  for (let done = 0; done < 450; done += 45) {
    const made = await Promise.all(Array.from({ length: 45 }, () => recordCrash(stage.ask, reportOf(bundle, [uuid]))))
    ids.push(...made.map(({ id }) => id))
  }
  await recordDsym(stage.ask, bundle, [uuid])
  await until(
    'all reports to miss no image',
    async () => {
      const { crashReports } = await stage.ask<{
        crashReports: { nodes: { id: string; missingImageCount: number }[] }
      }>(
        'query ($appId: ID) { crashReports(appId: $appId, first: 100, statuses: [WAITING_FOR_SYMBOLS]) { nodes { id missingImageCount } } }',
        { appId },
      )
      return crashReports.nodes.every(({ id }) => !ids.includes(id)) || undefined
    },
    30_000,
  )
  for (const id of [ids[0], ids[200], ids.at(-1)])
    assert.deepEqual(standing(await crashOf(stage.ask, id ?? '')), ['RECEIVED', []])
})

test('repeats of a report, also concurrent ones, are recorded once, and another report with its UUID is refused', async () => {
  const report = reportOf(bundle, [newUuid()])
  const made = await Promise.all(Array.from({ length: 10 }, () => recordCrash(stage.ask, report)))
  assert.equal(new Set(made.map(({ id }) => id)).size, 1)
  const again = await recordCrash(stage.ask, { ...report, reportId: report.reportId.toLowerCase() })
  assert.equal(again.id, made[0]?.id)
  const other = await refusal(recordCrash(stage.ask, { ...report, build: '211' }))
  assert.deepEqual([other.code, other.details.field], ['CONFLICT', 'reportId'])
})

test('a dSYM with the same UUIDs is recorded once, and is recorded as a new one after it was deleted', async () => {
  const [a, b] = [newUuid(), newUuid()]
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, n) => recordDsym(stage.ask, bundle, n % 2 ? [a, b] : [b, a])),
  )
  assert.equal(new Set(made).size, 1)
  const [first = ''] = made
  await deleteDsym(stage.ask, first)
  await deleteDsym(stage.ask, first)
  assert.notEqual(await recordDsym(stage.ask, bundle, [a, b]), first)
})

test('the threads of a report are shown as they were sent, with the names of their images', async () => {
  const [a, b] = [newUuid(), newUuid()]
  const report = reportOf(bundle, [a.toLowerCase(), b], [b])
  const { id } = await recordCrash(stage.ask, report)
  const frame = 'imageUuid imageName address symbol file line'
  const fields =
    `threads { nodes { name crashed frames { nodes { ${frame} } } } } ` +
    'wantedImages { nodes { name uuid arch } } exceptionReason'
  const { crashReport } = await stage.ask<{ crashReport: Record<string, unknown> }>(
    `query ($id: ID!) { crashReport(id: $id) { ${fields} } }`,
    { id },
  )
  const none = { file: null, line: null }
  assert.deepEqual(crashReport, {
    threads: {
      nodes: [
        {
          name: null,
          crashed: true,
          frames: {
            nodes: [
              { imageUuid: a, imageName: 'Shop', address: '0x1000', symbol: null, ...none },
              { imageUuid: b, imageName: 'Shop', address: '0x1001', symbol: 'function1', ...none },
              { imageUuid: null, imageName: null, address: '0x1', symbol: null, ...none },
            ],
          },
        },
      ],
    },
    // The frames of the second image have names, but no lines.
    wantedImages: { nodes: [a, b].sort().map((uuid) => image(uuid)) },
    exceptionReason: 'index out of range',
  })
})

test('a report that is stored in several pieces is read whole', async () => {
  const uuid = newUuid()
  const symbol = 'é'.repeat(900)
  const frames = Array.from({ length: 900 }, () => ({ imageUuid: uuid, address: '0x1000', symbol }))
  const { id } = await recordCrash(stage.ask, { ...reportOf(bundle, [uuid]), threads: [{ frames }] })
  const symbols = await symbolsOf(stage.ask, id)
  assert.ok(symbols.every((one) => one === symbol))
  assert.equal(symbols.length, 900)
})

test('a report with 1,000 images and more than 1 MiB is accepted, and each dSYM reduces its missing images', async () => {
  const uuids = Array.from({ length: 1_000 }, newUuid)
  const report = reportOf(bundle, uuids)
  const symbol = 'x'.repeat(900)
  const frames = Array.from({ length: 1_000 }, () => ({ address: '0x1000', symbol }))
  const large = { ...report, threads: [{ frames }, { frames }, { frames }] }
  const wanting = uuids.map((imageUuid) => ({ imageUuid, address: '0x2000' }))
  const input = { ...large, threads: [...large.threads, { crashed: true, frames: wanting }] }
  assert.ok(JSON.stringify(input).length > 2 * 1024 * 1024)
  const [one, other] = await Promise.all([recordCrash(stage.ask, input), recordCrash(stage.ask, input)])
  assert.equal(one.id, other.id, 'concurrent requests record one report')
  const { id, status, missingImageCount } = await recordCrash(stage.ask, input)
  assert.deepEqual([id, status, missingImageCount], [one.id, 'PARTIALLY_SYMBOLICATED', 1_000])
  await recordDsym(stage.ask, bundle, uuids.slice(0, 100))
  await recordDsym(stage.ask, bundle, uuids.slice(900))
  const { crashReport } = await until('it to miss less', async () => {
    const found = await stage.ask<{
      crashReport: {
        missingUuids: string[]
        missingImageCount: number
        wantedImages: { totalCount: number }
        threads: { nodes: { frameCount: number }[] }
      }
    }>(
      `query ($id: ID!) { crashReport(id: $id) {
        missingUuids missingImageCount wantedImages { totalCount } threads { nodes { frameCount } }
      } }`,
      { id },
    )
    return found.crashReport.missingImageCount === 800 ? found : undefined
  })
  assert.deepEqual([...crashReport.missingUuids].sort(), uuids.slice(100, 900).sort())
  assert.equal(crashReport.wantedImages.totalCount, 1_000)
  assert.deepEqual(
    crashReport.threads.nodes.map(({ frameCount }) => frameCount),
    [1_000, 1_000, 1_000, 1_000],
  )
})

test('a report with an invalid field is refused with the name of the field', async () => {
  const uuid = newUuid()
  const report = reportOf(bundle, [uuid])
  for (const [input, code, field] of [
    [{ ...report, bundleIdentifier: 'org.example.nobody' }, 'NOT_FOUND', 'bundleIdentifier'],
    [{ ...report, images: [] }, 'BAD_USER_INPUT', 'threads.0.frames.0.imageUuid'],
    [{ ...report, images: [image(uuid), image(uuid.toLowerCase())] }, 'BAD_USER_INPUT', 'images.1.uuid'],
    [{ ...report, reportId: 'mine' }, 'BAD_USER_INPUT', 'reportId'],
    [{ ...report, happenedAt: 'yesterday' }, 'BAD_USER_INPUT', 'happenedAt'],
  ] as const) {
    const refused = await refusal(recordCrash(stage.ask, input))
    assert.deepEqual([refused.code, refused.details.field], [code, field], refused.message)
  }
})

test('an app shows its builds, the counts of its reports by status, its newest reports and its dSYMs', async () => {
  const own = await makeApp(stage.ask, 'org.example.other')
  const [a, b] = [newUuid(), newUuid()]
  const crash = await recordCrash(stage.ask, reportOf('ORG.example.other', [a]))
  const old = { ...reportOf('org.example.other', [a], [a]), version: '1.0', build: '100' }
  await recordCrash(stage.ask, old)
  const dsymId = await recordDsym(stage.ask, 'org.example.other', [b])
  const registered = await fetch(`${stage.url}/api/ios/apns-devices`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      clientRegistrationId: 'c',
      token: 'ab'.repeat(32),
      tokenEncoding: 'HEX',
      topic: 'org.example.other',
      environment: 'SANDBOX',
      supportedPushTypes: ['alert'],
      displayName: 'Phone',
    }),
  })
  assert.equal(registered.status, 201)
  const fields =
    'bundleIdentifier builds { totalCount nodes { version build } } crashReportCounts { status count } ' +
    'crashReports { nodes { id app { id } } } dsyms { nodes { id imageCount } } registeredDeviceCount'
  const app = await until('both builds', async () => {
    const { app: found } = await stage.ask<{
      app: {
        builds: { totalCount: number }
        crashReportCounts: { status: string; count: number }[]
        registeredDeviceCount: number
        crashReports: { nodes: { id: string; app: unknown }[] }
        dsyms: { nodes: unknown[] }
      }
    }>(`query ($id: ID!) { app(id: $id) { ${fields} } }`, { id: own })
    return found.builds.totalCount === 2 ? found : undefined
  })
  assert.deepEqual(
    app.crashReportCounts.filter(({ count }) => count > 0),
    [
      { status: 'WAITING_FOR_SYMBOLS', count: 1 },
      { status: 'SYMBOLICATED', count: 1 },
    ],
  )
  const { nodes: crashes } = app.crashReports
  assert.deepEqual([crashes.length, crashes[1]], [2, { id: crash.id, app: { id: own } }])
  assert.deepEqual(app.dsyms.nodes, [{ id: dsymId, imageCount: 1 }])
  assert.equal(app.registeredDeviceCount, 1)
  const listed = async (input: string) =>
    (
      await stage.ask<{ list: { totalCount: number } }>(`query ($id: ID) { list: ${input} { totalCount } }`, {
        id: own,
      })
    ).list.totalCount
  assert.equal(await listed('crashReports(appId: $id)'), 2)
  assert.equal(await listed('crashReports(appId: $id, version: "1.0")'), 1)
  assert.equal(await listed('crashReports(appId: $id, version: "1.0", build: "101")'), 0)
  assert.equal(await listed('crashReports(appId: $id, statuses: [SYMBOLICATED])'), 1)
  assert.equal(await listed('dsyms(appId: $id, version: "2.1")'), 1)
  const noApp = await refusal(stage.ask('{ crashReports(version: "1.0") { totalCount } }'))
  assert.deepEqual([noApp.code, noApp.details.field], ['BAD_USER_INPUT', 'version'])
})

test('repeated requests with one key create one app', async () => {
  const input = { bundleIdentifier: 'org.example.twice', name: 'Twice', idempotencyKey: 'twice' }
  const ask = () => mutate<{ app: { id: string } }>(stage.ask, 'createApp', input, 'app { id }')
  const made = await Promise.all([ask(), ask(), ask()])
  assert.deepEqual(new Set([...made, await ask()].map(({ app }) => app.id)).size, 1)
})

test('a bundle identifier has one app, which can be renamed, archived and restored', async () => {
  const again = await refusal(makeApp(stage.ask, 'org.example.SHOP'))
  assert.deepEqual([again.code, again.details.field, again.details.id], ['CONFLICT', 'bundleIdentifier', appId])
  const change = (name: string, input: object) =>
    mutate<{ app: { name: string; status: string } }>(stage.ask, name, { appId, ...input }, 'app { name status }')
  assert.equal((await change('updateApp', { name: 'Shop 2' })).app.name, 'Shop 2')
  assert.equal((await change('archiveApp', {})).app.status, 'ARCHIVED')
  assert.equal((await change('archiveApp', {})).app.status, 'ARCHIVED')
  const archived = await stage.ask<{ apps: { nodes: { id: string }[] } }>(
    '{ apps(statuses: [ARCHIVED]) { nodes { id } } }',
  )
  assert.deepEqual(archived.apps.nodes, [{ id: appId }])
  assert.equal((await recordCrash(stage.ask, reportOf(bundle, [newUuid()]))).status, 'WAITING_FOR_SYMBOLS')
  assert.equal((await change('restoreApp', {})).app.status, 'ACTIVE')
  const found = await stage.ask<{ apps: { nodes: { id: string }[] } }>(
    `{ apps(bundleIdentifier: "${bundle}") { nodes { id } } }`,
  )
  assert.deepEqual(found.apps.nodes, [{ id: appId }])
})
