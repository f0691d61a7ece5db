/** The files that builds keep: found, stored with their checksums, downloaded by links, kept, pinned and deleted. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { parse as parsePlist, build as plist } from 'plist'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import {
  createConfiguration,
  readBuildLog,
  startBuild,
  untilBuild,
  withRemote,
} from '../../kit/program/objects/builds.ts'
import { mutate } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine
let repositoryId = ''

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { hasTestClis: false })
  ;({ repositoryId } = await withRemote(stage, machine))
})
after(() => stage?.end())

interface Artifact {
  readonly id: string
  readonly path: string
  readonly size: number
  readonly sha256: string
  readonly contentType: string
  readonly status: string
  readonly expiresAt: string | null
}

let count = 0
/** Builds with one step, and returns the build and its artifacts by path. */
async function build(command: string, input: Readonly<Record<string, unknown>>, end = 'SUCCEEDED') {
  const name = `build ${++count}`
  const buildConfigurationId = await createConfiguration(stage.ask, {
    ...{ repositoryId, name, steps: [{ name: 'make', command }] },
    ...input,
  })
  const { id } = await startBuild(stage.ask, { buildConfigurationId, worktreeId: machine.worktree('main') })
  const done = await untilBuild(stage.ask, id, [end])
  return { done, artifacts: await listArtifacts(id) }
}

async function listArtifacts(id: string): Promise<readonly Artifact[]> {
  const { build } = await stage.ask<{ build: { artifacts: { nodes: Artifact[] } } }>(
    'query ($id: ID!) { build(id: $id) { artifacts(first: 100) { nodes { id path size sha256 contentType status expiresAt } } } }',
    { id },
  )
  return build.artifacts.nodes.toSorted((a, b) => a.path.localeCompare(b.path))
}

interface Link {
  readonly artifactId: string
  readonly path: string
  readonly downloadUrl: string
  readonly manifestUrl: string | null
  readonly installUrl: string | null
  readonly installPageUrl: string | null
  readonly installProblem: string | null
  readonly expiresAt: string
}

const linksOf = async (buildId: string): Promise<readonly Link[]> =>
  (
    await stage.ask<{ links: Link[] }>(
      'query ($buildId: ID!) { links: buildArtifactLinks(buildId: $buildId) { artifactId path downloadUrl manifestUrl installUrl installPageUrl installProblem expiresAt } }',
      { buildId },
    )
  ).links

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const change = async (name: string, buildArtifactId: string) =>
  (
    await mutate<{ buildArtifact: Artifact }>(
      stage.ask,
      name,
      { buildArtifactId },
      'buildArtifact { id path size sha256 contentType status expiresAt }',
    )
  ).buildArtifact

test('files that match are stored before the build succeeds; others, links and .git are not', async () => {
  const { done, artifacts } = await build(
    'mkdir -p dist/deep; printf one > dist/a.txt; printf two > dist/deep/b.zip; printf three > other.txt; : > dist/empty.txt; ln -s /etc/hostname dist/link.txt; ln -s /etc dist/folder',
    { artifacts: ['dist/**/*.txt', 'dist/**/*.zip'] },
  )
  assert.deepEqual(
    artifacts.map(({ path, size, sha256: sum, contentType, status }) => [path, size, sum, contentType, status]),
    [
      ['dist/a.txt', 3, sha256('one'), 'text/plain', 'STORED'],
      ['dist/deep/b.zip', 3, sha256('two'), 'application/zip', 'STORED'],
      ['dist/empty.txt', 0, sha256(''), 'text/plain', 'STORED'],
    ],
  )
  const month = 30 * 86_400_000
  for (const { expiresAt } of artifacts)
    assert.ok(Math.abs(Date.parse(expiresAt ?? '') - Date.now() - month) < 60_000, `${expiresAt}`)
  assert.match(await readBuildLog(stage.ask, done.id), /▶ Store dist\/a\.txt \(3 bytes\)/)
})

test('a build whose patterns match no file succeeds, and its log reports that', async () => {
  const { done, artifacts } = await build('true', { artifacts: ['dist/**'] })
  assert.deepEqual(artifacts, [])
  assert.match(await readBuildLog(stage.ask, done.id), /No file matches the artifacts of the build: dist\/\*\*/)
})

test('a failed build stores its artifacts too, and keeps the problem of its step', async () => {
  const { done, artifacts } = await build('echo report > report.txt; exit 4', { artifacts: ['*.txt'] }, 'FAILED')
  assert.equal(done.problem?.code, 'STEP_FAILED')
  assert.deepEqual(
    artifacts.map(({ path }) => path),
    ['report.txt'],
  )
})

async function useOrigin(remoteUrlOverride: string | null): Promise<void> {
  const defaultKind = remoteUrlOverride === null ? null : 'REMOTE'
  await mutate(stage.ask, 'saveServerUrlSettings', { remoteUrlOverride, defaultKind }, 'serverUrlSettings { revision }')
}

test('an iOS app gets a manifest only over https, with the names of its Info.plist and a link to the file', async () => {
  const info = plist({
    CFBundleIdentifier: 'com.example.shop',
    CFBundleShortVersionString: '2.1.0',
    CFBundleVersion: '147',
    CFBundleName: 'Shop & Co',
  })
  const ipa = [
    'mkdir -p Payload/Shop.app/Frameworks/Other.framework',
    `cat > Payload/Shop.app/Info.plist <<'END'\n${info}\nEND`,
    'echo other > Payload/Shop.app/Frameworks/Other.framework/Info.plist',
    'git add Payload && git archive --format=zip -o Shop.ipa $(git write-tree) Payload && echo broken > broken.ipa',
  ].join('\n')
  const insecure = await build(ipa, { artifacts: ['*.ipa'] })
  const links = await linksOf(insecure.done.id)
  const refused = links.find(({ path }) => path === 'broken.ipa')
  assert.deepEqual([refused?.manifestUrl, refused?.installProblem], [null, null])
  const plain = links.find(({ path }) => path === 'Shop.ipa')
  assert.deepEqual([plain?.manifestUrl, plain?.installPageUrl], [null, null])
  assert.match(plain?.installProblem ?? '', /only by https, and the server URL of the build is http:/)
  assert.match(await readBuildLog(stage.ask, insecure.done.id), /broken\.ipa cannot be installed over the air: /)

  await useOrigin('https://builds.example.com')
  const { done } = await build(ipa, { artifacts: ['Shop.ipa'] })
  await useOrigin(null)
  const [link] = await linksOf(done.id)
  assert.ok(link?.manifestUrl)
  assert.ok(link.manifestUrl.startsWith('https://builds.example.com/api/public/build-artifacts/'))
  assert.equal(link.installUrl, `itms-services://?action=download-manifest&url=${encodeURIComponent(link.manifestUrl)}`)
  const here = (url: string) => url.replace('https://builds.example.com', stage.url)
  const answer = await fetch(here(link.manifestUrl))
  assert.equal(answer.headers.get('content-type'), 'text/xml; charset=utf-8')
  const manifest = parsePlist(await answer.text()) as {
    items: { assets: { kind: string; url: string }[]; metadata: Record<string, string> }[]
  }
  assert.deepEqual(manifest.items[0]?.metadata, {
    'bundle-identifier': 'com.example.shop',
    'bundle-version': '2.1.0',
    kind: 'software',
    title: 'Shop & Co',
  })
  const bytes = await fetch(here(manifest.items[0]?.assets[0]?.url ?? ''))
  assert.equal(bytes.status, 200)
  assert.equal((await fetch(`${here(link.manifestUrl)}x`)).status, 403)
  const page = await fetch(here(link.installPageUrl ?? ''), { headers: { 'accept-language': 'de' } })
  const html = await page.text()
  assert.match(html, /<h1>Shop &amp; Co<\/h1>/)
  assert.match(html, /Version 2\.1\.0 · build \d+ #\d+ · /)
  assert.match(html, /href="itms-services:\/\/\?action=download-manifest&amp;url=https%3A%2F%2Fbuilds\.example\.com/)
})

test('an Android app has an install page, from which the app is downloaded', async () => {
  const { done } = await build('echo android > shop.apk; echo other > shop.txt', { artifacts: ['shop.*'] })
  const links = await linksOf(done.id)
  const [app, other] = ['shop.apk', 'shop.txt'].map((name) => links.find(({ path }) => path === name))
  assert.deepEqual([other?.installPageUrl, app?.installProblem], [null, null])
  const html = await (await fetch(app?.installPageUrl ?? '')).text()
  const [, href = ''] = /href="([^"]*build-artifacts[^"]*)"/.exec(html) ?? []
  assert.equal(await (await fetch(href.replaceAll('&amp;', '&'))).text(), 'android\n')
  const wrong = app?.installPageUrl?.replace(/link=.*/, new URL(app.downloadUrl).search.slice(1)) ?? ''
  assert.equal((await fetch(wrong)).status, 403, 'a link to the file opens no page')
  assert.match(await (await fetch(wrong, { headers: { accept: 'text/html' } })).text(), /has expired/)
})

test('a build with too many files fails with the reason', async () => {
  const { done } = await build('for i in $(seq 1001); do : > f$i.txt; done', { artifacts: ['*.txt'] }, 'FAILED')
  assert.equal(done.problem?.code, 'TOO_MANY_ARTIFACTS')
})

test('a large file is stored unchanged even if the agent is killed during the upload', async () => {
  const buildConfigurationId = await createConfiguration(stage.ask, {
    ...{ repositoryId, name: 'large', artifacts: ['*.bin'] },
    steps: [{ name: 'make', command: 'head -c 80000000 /dev/urandom > large.bin; sha256sum large.bin' }],
  })
  const { id } = await startBuild(stage.ask, { buildConfigurationId, worktreeId: machine.worktree('main') })
  await until('its upload to begin', async () => (await listArtifacts(id)).length > 0)
  await machine.stop('SIGKILL')
  await machine.start()
  await untilBuild(stage.ask, id, ['SUCCEEDED'])
  const [artifact] = await listArtifacts(id)
  const [, printed] = /([0-9a-f]{64}) {2}large\.bin/.exec(await readBuildLog(stage.ask, id)) ?? []
  assert.deepEqual([artifact?.size, artifact?.sha256, artifact?.status], [80_000_000, printed, 'STORED'])
  const [link] = await linksOf(id)
  const answer = await fetch(link?.downloadUrl ?? '')
  assert.equal(sha256(new Uint8Array(await answer.arrayBuffer())), printed)
})

describe('a link', () => {
  let buildId = ''
  let link: Link
  before(async () => {
    const { done } = await build('printf 0123456789 > digits.txt; printf x > "ä b.svg"', { artifacts: ['*.*'] })
    buildId = done.id
    const links = await linksOf(buildId)
    const found = links.find(({ path }) => path === 'digits.txt')
    assert.ok(found)
    link = found
  })

  test('downloads the file, or a range of it, without a credential, as a file to save', async () => {
    const whole = await fetch(link.downloadUrl)
    assert.equal(await whole.text(), '0123456789')
    assert.match(whole.headers.get('content-disposition') ?? '', /^attachment; filename="digits\.txt"/)
    assert.equal(whole.headers.get('x-content-type-options'), 'nosniff')
    assert.match(whole.headers.get('content-security-policy') ?? '', /sandbox/)
    const part = await fetch(link.downloadUrl, { headers: { range: 'bytes=3-5' } })
    assert.deepEqual([part.status, await part.text()], [206, '345'])
    const head = await fetch(link.downloadUrl, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10'])
  })

  test('is refused with a code if it was changed or is for another file', async () => {
    const other = (await linksOf(buildId)).find(({ path }) => path !== 'digits.txt')
    const url = new URL(link.downloadUrl)
    const signed = url.searchParams.get('link') ?? ''
    const [body, key, signature] = signed.split('.')
    const late = Buffer.from(
      Buffer.from(body ?? '', 'base64url')
        .toString()
        .replace(/\d+$/, (ms) => `${Number(ms) + 86_400_000}`),
    ).toString('base64url')
    const withLink = (value: string) => {
      const changed = new URL(url)
      changed.searchParams.set('link', value)
      return changed.href
    }
    const unknown = link.artifactId.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    for (const [address, status, code] of [
      [withLink(`${late}.${key}.${signature}`), 403, 'FORBIDDEN'],
      [withLink(new URL(other?.downloadUrl ?? '').searchParams.get('link') ?? ''), 403, 'FORBIDDEN'],
      [withLink('x'), 403, 'FORBIDDEN'],
      [withLink(''), 400, 'BAD_USER_INPUT'],
      [url.href.replace(/\?.*/, ''), 400, 'BAD_USER_INPUT'],
      [url.href.replace(link.artifactId, unknown), 403, 'FORBIDDEN'],
    ] as const) {
      const answer = await fetch(address)
      const { error } = (await answer.json()) as { error: { code: string } }
      assert.deepEqual([answer.status, error.code], [status, code], address)
    }
  })

  test('ends when its artifact is deleted', async () => {
    assert.equal((await change('deleteBuildArtifact', link.artifactId)).status, 'DELETED')
    const answer = await fetch(link.downloadUrl)
    assert.equal(answer.status, 404)
    assert.ok((await linksOf(buildId)).every(({ artifactId }) => artifactId !== link.artifactId))
    assert.equal(
      (await change('deleteBuildArtifact', link.artifactId)).status,
      'DELETED',
      'a repeat gets the same answer',
    )
  })
})

test('a pinned artifact does not expire until it is unpinned', async () => {
  const { artifacts } = await build('printf x > x.txt', { artifacts: ['x.txt'], artifactRetentionDays: 1 })
  const id = artifacts[0]?.id ?? ''
  assert.deepEqual(pick(await change('pinBuildArtifact', id)), ['PINNED', true])
  assert.deepEqual(pick(await change('pinBuildArtifact', id)), ['PINNED', true])
  assert.deepEqual(pick(await change('unpinBuildArtifact', id)), ['STORED', false])
})

const pick = ({ status, expiresAt }: Artifact) => [status, expiresAt === null]

test('a caller that is not an agent cannot create a build artifact', async () => {
  const input = { epoch: 1, jobId: `job_${'0'.repeat(26)}`, attempt: 1, path: 'a', size: 1, contentType: 'text/plain' }
  const refused = await refusal(
    mutate(stage.ask, 'createBuildArtifact', { ...input, sha256: 'a'.repeat(64) }, 'artifactId'),
  )
  assert.equal(refused.code, 'FORBIDDEN')
})
