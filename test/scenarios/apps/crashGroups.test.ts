/** Crashes of one place are one group, which waits for a person when it is new, when it spikes, and when it comes back. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeApp, newUuid, recordCrash, reportOf } from '../../kit/program/objects/crashes.ts'
import { mutate } from '../../kit/program/runs.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
before(async () => {
  stage = await startTestProgram()
})
after(() => stage?.end())

interface Group {
  readonly id: string
  readonly status: string
  readonly title: string
  readonly reportCount: number
  readonly builds: { readonly nodes: readonly { readonly build: string; readonly reportCount: number }[] }
  readonly days: readonly { readonly date: string; readonly reportCount: number }[]
}

const groupFields = `id status title reportCount builds(first: 9) { nodes { build reportCount } } days { date reportCount }`

async function groupsOf(appId: string, order = 'CREATED_AT'): Promise<readonly Group[]> {
  const query = `query ($appId: ID!) {
    crashGroups(appId: $appId, orderBy: { field: ${order}, direction: DESC }) { totalCount nodes { ${groupFields} } }
  }`
  const { crashGroups } = await stage.ask<{ crashGroups: { totalCount: number; nodes: readonly Group[] } }>(query, {
    appId,
  })
  assert.equal(crashGroups.totalCount, crashGroups.nodes.length)
  return crashGroups.nodes
}

/** The only group of the app, when it has that many reports. */
const groupWith = async (appId: string, reportCount: number): Promise<Group> =>
  await until(`a group with ${reportCount} reports`, async () =>
    (await groupsOf(appId)).find((group) => group.reportCount === reportCount),
  )

interface Item {
  readonly kind: string
  readonly title: string
  readonly detail: string
  readonly actions: readonly { readonly operation: string }[]
}

async function itemsOf(groupId: string): Promise<readonly Item[]> {
  const query = '{ actionCenter(first: 100) { items { kind title detail actorId actions { operation } } } }'
  const { actionCenter } = await stage.ask<{ actionCenter: { items: readonly (Item & { actorId: string })[] } }>(query)
  return actionCenter.items.filter(({ actorId }) => actorId === groupId)
}

const change = async (name: 'acknowledgeCrashGroup' | 'resolveCrashGroup', crashGroupId: string): Promise<string> =>
  (await mutate<{ crashGroup: Group }>(stage.ask, name, { crashGroupId }, 'crashGroup { status }')).crashGroup.status

const app = async (name: string) => {
  const bundleIdentifier = `org.example.${name}`
  const appId = await makeApp(stage.ask, bundleIdentifier)
  const uuid = newUuid()
  const crash = async (own: object = {}) =>
    await recordCrash(stage.ask, { ...reportOf(bundleIdentifier, [uuid], [uuid]), ...own })
  return { appId, bundleIdentifier, crash }
}

test('crash reports of several builds with the same place are one group, which a person can acknowledge', async () => {
  const { appId, crash } = await app('groups')
  const first = await crash({ happenedAt: '2026-01-05T09:30:00.000Z' })
  await crash({ build: '211', happenedAt: '2026-01-06T09:30:00.000Z' })
  const group = await groupWith(appId, 2)
  assert.deepEqual([group.title, group.status], ['function0', 'NEW'])
  assert.deepEqual(
    [...group.builds.nodes].sort((a, b) => a.build.localeCompare(b.build)),
    [
      { build: '210', reportCount: 1 },
      { build: '211', reportCount: 1 },
    ],
  )
  assert.deepEqual(group.days, [
    { date: '2026-01-06', reportCount: 1 },
    { date: '2026-01-05', reportCount: 1 },
  ])
  const [item, ...others] = await itemsOf(group.id)
  assert.deepEqual([item?.kind, item?.title, others], ['CRASH_GROUP_NEW', 'Shop: function0', []])
  assert.equal(item?.detail, '2 reports: EXC_BREAKPOINT.')
  assert.deepEqual(
    item?.actions.map(({ operation }) => operation),
    ['crashGroup', 'acknowledgeCrashGroup', 'resolveCrashGroup'],
  )
  assert.equal(await change('acknowledgeCrashGroup', group.id), 'ACKNOWLEDGED')
  assert.deepEqual(await itemsOf(group.id), [])
  const { crashReport } = await stage.ask<{ crashReport: { group: { id: string } } }>(
    'query ($id: ID!) { crashReport(id: $id) { group { id } } }',
    { id: first.id },
  )
  assert.equal(crashReport.group.id, group.id)
})

test('the groups of a version or a build are those with a report of it', async () => {
  const { appId, bundleIdentifier, crash } = await app('filtered')
  await crash({ build: '210' })
  await crash({ build: '211' })
  const uuid = newUuid()
  await recordCrash(stage.ask, { ...reportOf(bundleIdentifier, [uuid]), version: '2.2', build: '211' })
  await until('both groups', async () => {
    const counts = (await groupsOf(appId)).map(({ reportCount }) => reportCount)
    return counts.toSorted().join() === '1,2' || undefined
  })
  const found = async (filter: Readonly<Record<string, string>>) => {
    const { crashGroups } = await stage.ask<{ crashGroups: { totalCount: number; nodes: readonly Group[] } }>(
      `query ($appId: ID, $version: String, $build: String) {
        crashGroups(appId: $appId, version: $version, build: $build) { totalCount nodes { ${groupFields} } }
      }`,
      filter,
    )
    assert.equal(crashGroups.totalCount, crashGroups.nodes.length)
    return crashGroups.nodes.map(({ title, reportCount }) => `${title}: ${reportCount}`).sort()
  }
  const [both, other] = ['function0: 2', 'Shop + 0x1000: 1']
  assert.deepEqual(await found({ appId, version: '2.1' }), [both])
  assert.deepEqual(await found({ appId, version: '2.2' }), [other])
  assert.deepEqual(await found({ appId, build: '211' }), [other, both])
  assert.deepEqual(await found({ appId, version: '2.1', build: '211' }), [both])
  assert.deepEqual(await found({ appId, version: '2.2', build: '210' }), [])
  await assert.rejects(found({ version: '2.1' }), /version needs appId/)
})

test('the reports of a group are listed page by page, and a report that is sent twice counts once', async () => {
  const { appId, bundleIdentifier, crash } = await app('pages')
  const reports = []
  for (let n = 0; n < 5; n++) reports.push(await crash())
  const uuid = newUuid()
  const other = reportOf(bundleIdentifier, [uuid])
  const ofOther = await recordCrash(stage.ask, other)
  assert.equal((await recordCrash(stage.ask, other)).id, ofOther.id)
  const group = await groupWith(appId, 5)
  const query = `query ($groupId: ID!, $after: String) { crashReports(groupId: $groupId, first: 2, after: $after) {
    totalCount nodes { id } pageInfo { hasNextPage endCursor } } }`
  interface Page {
    readonly totalCount: number
    readonly nodes: readonly { readonly id: string }[]
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
  }
  const found: string[] = []
  for (let after: string | null = null, more = true; more; ) {
    const { crashReports }: { crashReports: Page } = await stage.ask(query, { groupId: group.id, after })
    assert.equal(crashReports.totalCount, 5)
    found.push(...crashReports.nodes.map(({ id }) => id))
    after = crashReports.pageInfo.endCursor
    more = crashReports.pageInfo.hasNextPage
  }
  assert.deepEqual(found, reports.map(({ id }) => id).reverse())
  const byCount = await until('both groups', async () => {
    const groups = await groupsOf(appId, 'REPORT_COUNT')
    return groups.length === 2 ? groups : undefined
  })
  assert.deepEqual(
    byCount.map(({ title, reportCount }) => [title, reportCount]),
    [
      ['function0', 5],
      ['Shop + 0x1000', 1],
    ],
  )
})

test('a resolved crash waits for a person again with a newer build, and not with an older one', async () => {
  const { appId, crash } = await app('regressed')
  await recordBuild(appId, '209')
  await crash({ build: '210' })
  const group = await groupWith(appId, 1)
  assert.equal(await change('resolveCrashGroup', group.id), 'RESOLVED')
  await crash({ build: '209' })
  assert.equal((await groupWith(appId, 2)).status, 'RESOLVED')
  assert.deepEqual(await itemsOf(group.id), [])
  await crash({ build: '211' })
  assert.equal((await groupWith(appId, 3)).status, 'REGRESSED')
  assert.deepEqual(
    (await itemsOf(group.id)).map(({ kind }) => kind),
    ['CRASH_GROUP_REGRESSED'],
  )

  /** The app has seen the build before the others, without a crash. */
  async function recordBuild(id: string, build: string): Promise<void> {
    const input = {
      ...{ bundleIdentifier: 'org.example.regressed', version: '2.1', build },
      images: [{ name: 'Shop', uuid: newUuid(), arch: 'arm64' }],
    }
    await mutate(stage.ask, 'recordDsym', input, 'dsym { id }')
    await until('the build', async () => {
      const { app: found } = await stage.ask<{ app: { builds: { nodes: readonly object[] } } }>(
        'query ($id: ID!) { app(id: $id) { builds(first: 9) { nodes { build } } } }',
        { id },
      )
      return found.builds.nodes.length > 0 || undefined
    })
  }
})

test('25 crashes within an hour are a spike', async () => {
  const { appId, crash } = await app('spiking')
  for (let n = 0; n < 25; n++) await crash()
  const group = await groupWith(appId, 25)
  const [item] = await itemsOf(group.id)
  assert.deepEqual([group.status, item?.kind], ['SPIKING', 'CRASH_GROUP_SPIKING'])
  assert.match(item?.detail ?? '', /^\d+ reports within an hour, 25 in all: EXC_BREAKPOINT\.$/)
})

test('the crashes of an app that no person has claimed are grouped, and wait for a person once it is claimed', async () => {
  const bundleIdentifier = 'org.example.unclaimed'
  const response = await fetch(`${stage.url}/api/public/crash-reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(reportOf(bundleIdentifier, [newUuid()])),
  })
  assert.equal(response.status, 201)
  const { appId } = (await response.json()) as { appId: string }
  const group = await groupWith(appId, 1)
  assert.deepEqual([group.status, await itemsOf(group.id)], ['NEW', []])
  await makeApp(stage.ask, bundleIdentifier)
  assert.deepEqual(
    (await itemsOf(group.id)).map(({ kind }) => kind),
    ['CRASH_GROUP_NEW'],
  )
})
