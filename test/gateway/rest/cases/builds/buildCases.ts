import { signLink } from '../../../../../gateway/operations/builds/downloadLinks.ts'
import { AppKeys } from '../../../../../gateway/secrets/appKeys.ts'
import { signingsOf } from '../../../../../gateway/secrets/signing.ts'
import { jobLogStream } from '../../../../../machines/agents/jobKeys.ts'
import { artifactRoutes } from '../../../../../spec/builds/artifactRoutes.ts'
import { buildLogRoutes } from '../../../../../spec/builds/buildLogRoutes.ts'
import { uploadBlob } from '../../../../../spec/builds/uploads.ts'
import { siblingId } from '../../../../../spec/core/ids.ts'
import { inits } from '../../../../kit/runtime/samples/samples.ts'
import { bearer, type Sent } from '../call.ts'
import { with_ } from '../callers.ts'
import type { Cases } from '../caseForm.ts'
import type { TroubledGateways } from '../troubledGateways.ts'

/** Those of the test's gateway. */
const signings = signingsOf(new AppKeys(new Uint8Array(32)))
const linkTo = (id: string, purpose: 'artifact' | 'manifest' | 'page' = 'artifact'): string =>
  signLink(purpose, id, Date.now(), signings).link

const download = (artifactId: string, link: string, headers: Readonly<Record<string, string>> = {}): Sent => ({
  params: { artifactId },
  query: `?link=${encodeURIComponent(link)}`,
  headers,
})

/** An artifact of 5 bytes. */
async function stored({ world }: TroubledGateways): Promise<string> {
  const id = world.newId('buildArtifact')
  const ref = { kind: 'buildArtifact', id } as const
  await world.ask(ref, { type: 'create' }, { ...inits.buildArtifact, path: `dist/${id}`, size: 5 })
  await world.blobs.append(uploadBlob(siblingId('upload', id)), 0, Buffer.from('hello'))
  await world.ask(ref, { type: 'uploadReady', uploadId: siblingId('upload', id) })
  return id
}

const app = { bundleIdentifier: 'com.example.shop', version: '1.0', build: null, title: 'Shop' }

/** A request for the manifest of an app. */
async function manifest(stage: TroubledGateways, isApp = true): Promise<Sent> {
  const { world } = stage
  const id = world.newId('buildArtifact')
  const buildId = world.newId('build')
  const ref = { kind: 'buildArtifact', id } as const
  await world.ask({ kind: 'build', id: buildId }, { type: 'create' }, inits.build)
  await world.ask(
    ref,
    { type: 'create' },
    { ...inits.buildArtifact, buildId, path: `dist/${id}.ipa`, app: isApp ? app : null },
  )
  await world.ask(ref, { type: 'uploadReady', uploadId: siblingId('upload', id) })
  return download(id, linkTo(id, 'manifest'))
}

/** A request for the page that installs a file. */
async function page({ world }: TroubledGateways, path = 'shop.apk'): Promise<Sent> {
  const id = world.newId('buildArtifact')
  const buildId = world.newId('build')
  await world.ask({ kind: 'build', id: buildId }, { type: 'create' }, inits.build)
  const ref = { kind: 'buildArtifact', id } as const
  await world.ask(ref, { type: 'create' }, { ...inits.buildArtifact, buildId, path })
  await world.ask(ref, { type: 'uploadReady', uploadId: siblingId('upload', id) })
  return download(id, linkTo(id, 'page'))
}

async function file(stage: TroubledGateways, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
  const id = await stored(stage)
  return download(id, linkTo(id), headers)
}

/** Creates a build whose log has ended after two chunks. */
async function endedBuild({ world }: TroubledGateways): Promise<string> {
  const id = world.newId('build')
  await world.ask({ kind: 'build', id }, { type: 'create' }, inits.build)
  await world.append(jobLogStream(siblingId('job', id), 1), 0, ['one', 'two'], true)
  return id
}

const log = async (stage: TroubledGateways, range: string): Promise<Sent> => {
  const sent = await with_(stage, { params: { id: await endedBuild(stage) } })
  return { ...sent, headers: { ...sent.headers, range } }
}

const stream = async (stage: TroubledGateways, query = '') =>
  await with_(stage, { params: { id: await endedBuild(stage) }, query })

export const buildCases: readonly Cases[] = [
  {
    route: artifactRoutes.downloadArtifact,
    right: (stage) => file(stage),
    own: {
      '206': (stage) => file(stage, { range: 'bytes=1-2' }),
      '400 BAD_USER_INPUT': async (stage) => ({ ...(await file(stage)), query: '' }),
      '403 FORBIDDEN': async (stage) => download(await stored(stage), linkTo(await stored(stage))),
      '404 NOT_FOUND': async ({ world }) => {
        const id = world.newId('buildArtifact')
        return download(id, linkTo(id))
      },
      '416 RANGE_NOT_SATISFIABLE': (stage) => file(stage, { range: 'bytes=5-' }),
    },
  },
  {
    route: artifactRoutes.downloadManifest,
    right: (stage) => manifest(stage),
    own: {
      '400 BAD_USER_INPUT': async (stage) => ({ ...(await manifest(stage)), query: '' }),
      '403 FORBIDDEN': async (stage) => {
        const sent = await manifest(stage)
        return download(sent.params?.artifactId ?? '', linkTo(sent.params?.artifactId ?? ''))
      },
      '404 NOT_FOUND': (stage) => manifest(stage, false),
    },
  },
  {
    route: artifactRoutes.openInstallPage,
    right: (stage) => page(stage),
    own: {
      '400 BAD_USER_INPUT': async (stage) => ({ ...(await page(stage)), query: '' }),
      '403 FORBIDDEN': async (stage) => {
        const sent = await page(stage)
        return download(sent.params?.artifactId ?? '', linkTo(sent.params?.artifactId ?? ''))
      },
      '404 NOT_FOUND': (stage) => page(stage, 'shop.txt'),
    },
  },
  {
    route: buildLogRoutes.downloadBuildLog,
    right: async (stage) => await with_(stage, { params: { id: await endedBuild(stage) } }),
    own: {
      '206': (stage) => log(stage, 'bytes=1-2'),
      '400 BAD_USER_INPUT': (stage) => with_(stage, { params: { id: stage.world.newId('run') } }),
      '403 FORBIDDEN': async (stage) => ({
        params: { id: await endedBuild(stage) },
        headers: bearer((await stage.world.agent()).token),
      }),
      '404 NOT_FOUND': (stage) => with_(stage, { params: { id: stage.world.newId('build') } }),
      '410 HISTORY_GONE': async (stage) => {
        const id = await endedBuild(stage)
        stage.world.dropEntries(jobLogStream(siblingId('job', id), 1), 1)
        return await with_(stage, { params: { id } })
      },
      '416 RANGE_NOT_SATISFIABLE': (stage) => log(stage, 'bytes=6-'),
    },
  },
  {
    route: buildLogRoutes.streamBuildLog,
    right: (stage) => stream(stage),
    own: {
      '204': (stage) => stream(stage, '?lastEventId=2'),
      '400 BAD_USER_INPUT': (stage) => stream(stage, '?lastEventId=seven'),
      '404 NOT_FOUND': (stage) => with_(stage, { params: { id: stage.world.newId('build') } }),
      '410 HISTORY_GONE': async (stage) => {
        const id = stage.world.newId('build')
        await stage.world.ask({ kind: 'build', id }, { type: 'create' }, inits.build)
        return await with_(stage, { params: { id }, query: '?lastEventId=7' })
      },
    },
  },
]
