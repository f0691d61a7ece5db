/** The links to the files of builds: which are refused, and with which code. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openSite } from '../../../clients/console/site.ts'
import { signLink } from '../../../gateway/operations/builds/downloadLinks.ts'
import { AppKeys } from '../../../gateway/secrets/appKeys.ts'
import { signingsOf } from '../../../gateway/secrets/signing.ts'
import { linkMs } from '../../../spec/builds/artifacts.ts'
import { uploadBlob } from '../../../spec/builds/uploads.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const purposes = ['artifact', 'manifest', 'page'] as const
type Purpose = (typeof purposes)[number]

/** Those of the test's gateway. */
const signings = signingsOf(new AppKeys(new Uint8Array(32)))
const serverUrls = { kind: 'REMOTE', local: 'http://10.0.0.1:3000', remote: 'https://builds.example', proxy: null }
const app = { bundleIdentifier: 'com.example.shop', version: '1.0', build: null, title: 'Shop' }
let world: TestGateway
let artifactId: string
let otherId: string

before(async () => {
  world = await startTestGateway({ options: { site: await openSite() } })
  ;[artifactId, otherId] = [await storeApp(), await storeApp()]
})
after(() => world?.stop())

/** A stored app of a build that was started by an https address. */
async function storeApp(): Promise<string> {
  const id = world.newId('buildArtifact')
  const buildId = world.newId('build')
  await world.ask({ kind: 'build', id: buildId }, { type: 'create' }, { ...inits.build, serverUrls })
  const ref = { kind: 'buildArtifact', id } as const
  await world.ask(ref, { type: 'create' }, { ...inits.buildArtifact, buildId, path: `dist/${id}.ipa`, size: 5, app })
  await world.blobs.append(uploadBlob(siblingId('upload', id)), 0, Buffer.from('hello'))
  await world.ask(ref, { type: 'uploadReady', uploadId: siblingId('upload', id) })
  return id
}

const paths: Readonly<Record<Purpose, string>> = {
  artifact: '',
  manifest: '/manifest.plist',
  page: '/install',
}

async function answerTo(purpose: Purpose, id: string, link: string): Promise<readonly [number, unknown, unknown]> {
  const address = `${world.url}/api/public/build-artifacts/${id}${paths[purpose]}?link=${encodeURIComponent(link)}`
  const answer = await fetch(address, { redirect: 'manual' })
  const text = await answer.text()
  if (answer.status === 200) return [200, undefined, undefined]
  const { error } = JSON.parse(text) as { error: { code: string; reason?: string } }
  return [answer.status, error.code, error.reason]
}

/** A link of the artifact for a use, signed now. */
const signed = (purpose: Purpose, id = artifactId, at = Date.now(), keys = signings): string =>
  signLink(purpose, id, at, keys).link

/** Changes one part of a link: what it names, the number of the key, or the signature. */
function changePart(link: string, index: number, change: (part: string) => string): string {
  return link
    .split('.')
    .map((part, position) => (position === index ? change(part) : part))
    .join('.')
}

const flipFirst = (part: string): string => (part.startsWith('A') ? 'B' : 'A') + part.slice(1)
const refused = [403, 'FORBIDDEN', 'LINK_INVALID'] as const

for (const purpose of purposes)
  describe(`a link to the ${purpose} of an artifact`, () => {
    const others = purposes.filter((other) => other !== purpose)
    const cases: Readonly<Record<string, readonly [() => string, readonly [number, unknown, unknown]]>> = {
      'that is valid is served': [() => signed(purpose), [200, undefined, undefined]],
      'that expires in 30 seconds is served': [
        () => signed(purpose, artifactId, Date.now() - linkMs + 30_000),
        [200, undefined, undefined],
      ],
      'that has expired is refused': [() => signed(purpose, artifactId, Date.now() - linkMs - 1), refused],
      'of another artifact is refused': [() => signed(purpose, otherId), refused],
      [`for the ${others[0]} is refused`]: [() => signed(others[0] ?? purpose), refused],
      [`for the ${others[1]} is refused`]: [() => signed(others[1] ?? purpose), refused],
      'of another server is refused': [
        () => signed(purpose, artifactId, Date.now(), signingsOf(new AppKeys(new Uint8Array(32).fill(1)))),
        refused,
      ],
      'whose content was changed is refused': [() => changePart(signed(purpose), 0, flipFirst), refused],
      'whose signature was changed is refused': [() => changePart(signed(purpose), 2, flipFirst), refused],
      'that is cut off is refused': [() => signed(purpose).slice(0, -1), refused],
    }
    for (const [name, [link, expected]] of Object.entries(cases))
      test(name, async () => assert.deepEqual(await answerTo(purpose, artifactId, link()), expected, purpose))
  })

test('a link to a deleted artifact gets 404', async () => {
  const gone = await storeApp()
  const links = purposes.map((purpose) => [purpose, signed(purpose, gone)] as const)
  await world.ask({ kind: 'buildArtifact', id: gone }, { type: 'delete' })
  for (const [purpose, link] of links)
    assert.deepEqual((await answerTo(purpose, gone, link)).slice(0, 2), [404, 'NOT_FOUND'], purpose)
})
