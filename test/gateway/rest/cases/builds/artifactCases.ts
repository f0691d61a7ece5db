import { artifactUploadRoutes } from '../../../../../spec/builds/artifactUploadRoutes.ts'
import { sha256, type TestGateway } from '../../../../kit/runtime/testGateway.ts'
import { bearer, type Sent, slowBody } from '../call.ts'
import type { Cases } from '../caseForm.ts'
import type { TroubledGateways } from '../troubledGateways.ts'

const { inspectArtifactUpload, sendArtifact } = artifactUploadRoutes
const content = 'hello'

interface Variations {
  readonly declared?: string
  /** The size that the actor states. */
  readonly size?: number
}

async function uploadOn(world: TestGateway, { declared = content, size = content.length }: Variations = {}) {
  const { agentId, token } = await world.agent()
  const id = world.newId('upload')
  const create = {
    ...{ purpose: 'ARTIFACT', owner: null, name: 'a', contentType: 'text/plain', size, sha256: sha256(declared) },
    ...{ agentId, createdBy: agentId, createdAt: Date.now() },
  }
  await world.ask({ kind: 'upload', id }, { type: 'create' }, create)
  const headers = {
    ...bearer(token),
    ...{ 'content-type': 'application/octet-stream', 'x-agent-epoch': '0', 'upload-offset': '0' },
  }
  const sent: Sent = { params: { uploadId: id }, headers, body: content }
  return { id, sent }
}

async function bytes({ world }: TroubledGateways, more: Readonly<Record<string, string>> = {}, how: Variations = {}) {
  const { sent } = await uploadOn(world, how)
  return { ...sent, headers: { ...sent.headers, ...more } }
}

const head = async (stage: TroubledGateways, more: Readonly<Record<string, string>> = {}) => {
  const { body: _, ...sent } = await bytes(stage, more)
  return sent
}

export const artifactCases: readonly Cases[] = [
  {
    route: inspectArtifactUpload,
    right: (stage) => head(stage),
    own: {
      '400': (stage) => head(stage, { 'x-agent-epoch': 'one' }),
      '401': (stage) => head(stage, bearer('agent_unknown')),
      '403': async (stage) => head(stage, bearer((await stage.world.agent()).token)),
      '404': async (stage) => ({ ...(await head(stage)), params: { uploadId: stage.world.newId('upload') } }),
      '409': (stage) => head(stage, { 'x-agent-epoch': '3' }),
    },
  },
  {
    route: sendArtifact,
    right: (stage) => bytes(stage),
    own: {
      // The storage of the bytes is unavailable, so that the checksum is not computed within the time of a request.
      '202': async (stage) => {
        const { id, sent } = await uploadOn(stage.world)
        const { read, size } = stage.world.blobs
        stage.world.blobs.read = () => {
          throw new Error('away')
        }
        stage.world.blobs.size = async () => content.length
        try {
          const ref = { kind: 'upload', id } as const
          await stage.world.ask(ref, { type: 'begin' })
          await stage.world.ask(ref, { type: 'advance', writer: 1, offset: content.length })
          const end = { ...sent.headers, 'upload-offset': String(content.length) }
          return await stage.call(sendArtifact, { ...sent, headers: end, body: '' })
        } finally {
          Object.assign(stage.world.blobs, { read, size })
        }
      },
      '400 BAD_USER_INPUT': (stage) => bytes(stage, { 'upload-offset': '-1' }),
      '404 NOT_FOUND': async (stage) => ({
        ...(await bytes(stage)),
        params: { uploadId: stage.world.newId('upload') },
      }),
      '408 BAD_USER_INPUT': async ({ strict }) =>
        slowBody(strict.gateway.port, sendArtifact, (await uploadOn(strict, { size: 10 })).sent),
      '409 CONFLICT': (stage) => bytes(stage, { 'upload-offset': '2' }),
      '409 STALE_EPOCH': (stage) => bytes(stage, { 'x-agent-epoch': '3' }),
      '409 FAILED_PRECONDITION': async (stage) => {
        const { id, sent } = await uploadOn(stage.world)
        await stage.world.ask({ kind: 'upload', id }, { type: 'begin' })
        await stage.world.ask({ kind: 'upload', id }, { type: 'advance', writer: 1, offset: 3 })
        return { ...sent, headers: { ...sent.headers, 'upload-offset': '3' }, body: 'lo' }
      },
      '413 PAYLOAD_TOO_LARGE': async (stage) => ({ ...(await bytes(stage)), body: 'hello and more' }),
      '415 BAD_USER_INPUT': (stage) => bytes(stage, { 'content-type': 'text/plain' }),
      '422 CHECKSUM_MISMATCH': (stage) => bytes(stage, {}, { declared: 'other' }),
      '500 INTERNAL_ERROR': async (stage) => {
        const sent = await bytes(stage)
        // So that this process has cached the credential.
        await stage.call(sendArtifact, { ...sent, headers: { ...sent.headers, 'upload-offset': '1' } })
        return await stage.whileActorsAreBroken(sendArtifact, sent)
      },
      '507 INSUFFICIENT_STORAGE': async (stage) => {
        const sent = await bytes(stage)
        stage.world.blobs.free = 0
        try {
          return await stage.call(sendArtifact, sent)
        } finally {
          stage.world.blobs.free = Number.POSITIVE_INFINITY
        }
      },
    },
  },
]
