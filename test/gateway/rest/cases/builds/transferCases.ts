import { transferRoutes } from '../../../../../spec/builds/deployments/transferRoutes.ts'
import { siblingId } from '../../../../../spec/core/ids.ts'
import { until } from '../../../../kit/program/until.ts'
import { sha256, type TestGateway } from '../../../../kit/runtime/testGateway.ts'
import { bearer, type Sent, slowBody } from '../call.ts'
import type { Cases } from '../caseForm.ts'
import type { TroubledGateways } from '../troubledGateways.ts'

const { readTransfer, inspectTransfer, sendTransferChunk, completeTransfer } = transferRoutes
const content = 'hello'

interface Variations {
  readonly declared?: string
  /** The size that the actor states. */
  readonly size?: number
}

export interface TestTransfer {
  readonly transferId: string
  readonly uploadId: string
  /** A request of each side without a body. */
  readonly source: Sent
  readonly target: Sent
}

/** A transfer whose artifact is not stored. */
export async function transferOn(
  world: TestGateway,
  { declared = content, size = content.length }: Variations = {},
): Promise<TestTransfer> {
  const [source, target] = [await world.agent(), await world.agent()]
  const artifactId = world.newId('buildArtifact')
  const transferId = world.newId('artifactTransfer')
  const uploadId = siblingId('upload', artifactId)
  const file = { size, sha256: sha256(declared), createdAt: Date.now() }
  await world.ask(
    { kind: 'buildArtifact', id: artifactId },
    { type: 'create' },
    {
      ...{
        buildId: world.newId('build'),
        agentId: source.agentId,
        path: 'dist/a',
        contentType: 'text/plain',
        app: null,
      },
      ...{ ...file, retentionDays: 1 },
    },
  )
  await world.ask(
    { kind: 'upload', id: uploadId },
    { type: 'create' },
    {
      ...{
        purpose: 'ARTIFACT',
        owner: { kind: 'buildArtifact', id: artifactId },
        name: 'a',
        contentType: 'text/plain',
      },
      ...{ ...file, agentId: source.agentId, createdBy: source.agentId },
    },
  )
  await world.ask(
    { kind: 'artifactTransfer', id: transferId },
    { type: 'create' },
    {
      ...{ deploymentId: world.newId('deployment'), artifactId, name: 'a', ...file },
      ...{ sourceAgentId: source.agentId, targetAgentId: target.agentId },
    },
  )
  await untilStatus(world, transferId, 'UPLOADING')
  const sentBy = ({ token }: { readonly token: string }): Sent => ({
    params: { transferId },
    headers: { ...bearer(token), 'x-agent-epoch': '0' },
  })
  return { transferId, uploadId, source: sentBy(source), target: sentBy(target) }
}

export async function untilStatus({ storage }: TestGateway, id: string, status: string): Promise<void> {
  await until(
    `the transfer to be ${status}`,
    async () => (await storage.views.get('artifactTransfer', id))?.columns.status === status,
  )
}

export const chunk = (sent: Sent, more: Readonly<Record<string, string>> = {}, body = content): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0', ...more },
  body,
})

const add = (sent: Sent, more: Readonly<Record<string, string>>): Sent => ({
  ...sent,
  headers: { ...sent.headers, ...more },
})

/** A transfer whose artifact is stored. */
async function storedOn(stage: TroubledGateways): Promise<TestTransfer> {
  const transfer = await transferOn(stage.world)
  await stage.call(sendTransferChunk, chunk(transfer.source))
  await untilStatus(stage.world, transfer.transferId, 'READY')
  return transfer
}

const ofWorld = (pick: (transfer: TestTransfer) => Sent) => async (stage: TroubledGateways) =>
  pick(await transferOn(stage.world))

async function closedOn({ world }: TroubledGateways): Promise<TestTransfer> {
  const transfer = await transferOn(world)
  await world.ask({ kind: 'artifactTransfer', id: transfer.transferId }, { type: 'close' })
  return transfer
}

const elsewhere = (stage: TroubledGateways, sent: Sent): Sent => ({
  ...sent,
  params: { transferId: stage.world.newId('artifactTransfer') },
})

const stranger = async ({ world }: TroubledGateways, sent: Sent): Promise<Sent> =>
  add(sent, bearer((await world.agent()).token))

export const transferCases: readonly Cases[] = [
  {
    route: readTransfer,
    right: ofWorld(({ source }) => source),
    own: {
      '206': async (stage) => add((await storedOn(stage)).target, { range: 'bytes=1-' }),
      '400 BAD_USER_INPUT': ofWorld(({ source }) => add(source, { 'x-agent-epoch': 'one' })),
      '400 BAD_USER_INPUT for an invalid range': async (stage) =>
        add((await storedOn(stage)).target, { range: 'lines=1-' }),
      '403 FORBIDDEN': async (stage) => stranger(stage, (await transferOn(stage.world)).source),
      '403 FORBIDDEN for the bytes': async (stage) => add((await storedOn(stage)).source, { range: 'bytes=0-' }),
      '404 NOT_FOUND': async (stage) => elsewhere(stage, (await transferOn(stage.world)).source),
      '409 STALE_EPOCH': ofWorld(({ source }) => add(source, { 'x-agent-epoch': '3' })),
      '409 FAILED_PRECONDITION': ofWorld(({ target }) => add(target, { range: 'bytes=0-' })),
      '500 INTERNAL_ERROR': async (stage) => {
        const { source } = await transferOn(stage.world)
        // So that this process has cached the credential.
        await stage.call(readTransfer, source)
        return await stage.whileActorsAreBroken(readTransfer, source)
      },
      '416 RANGE_NOT_SATISFIABLE': async (stage) => add((await storedOn(stage)).target, { range: 'bytes=99-' }),
    },
  },
  {
    route: inspectTransfer,
    right: ofWorld(({ source }) => source),
    own: {
      '400': ofWorld(({ source }) => add(source, { 'x-agent-epoch': 'one' })),
      '403': async (stage) => stranger(stage, (await transferOn(stage.world)).source),
      '404': async (stage) => elsewhere(stage, (await transferOn(stage.world)).source),
      '409': ofWorld(({ source }) => add(source, { 'x-agent-epoch': '3' })),
    },
  },
  {
    route: sendTransferChunk,
    right: ofWorld(({ source }) => chunk(source)),
    own: {
      '400 BAD_USER_INPUT': ofWorld(({ source }) => chunk(source, { 'upload-offset': '-1' })),
      '403 FORBIDDEN': ofWorld(({ target }) => chunk(target)),
      '404 NOT_FOUND': async (stage) => elsewhere(stage, chunk((await transferOn(stage.world)).source)),
      '408 BAD_USER_INPUT': async ({ strict }) => {
        const { source } = await transferOn(strict, { size: 10 })
        return slowBody(strict.gateway.port, sendTransferChunk, chunk(source))
      },
      '409 CONFLICT': ofWorld(({ source }) => chunk(source, { 'upload-offset': '2' })),
      '409 STALE_EPOCH': ofWorld(({ source }) => chunk(source, { 'x-agent-epoch': '3' })),
      '409 FAILED_PRECONDITION': async (stage) => chunk((await closedOn(stage)).source),
      '413 PAYLOAD_TOO_LARGE': ofWorld(({ source }) => chunk(source, {}, 'hello and more')),
      '415 BAD_USER_INPUT': ofWorld(({ source }) => chunk(source, { 'content-type': 'text/plain' })),
      '422 CHECKSUM_MISMATCH': async ({ world }) => chunk((await transferOn(world, { declared: 'other' })).source),
      '500 INTERNAL_ERROR': async (stage) => {
        const sent = chunk((await transferOn(stage.world)).source)
        // So that this process has cached the credential.
        await stage.call(sendTransferChunk, add(sent, { 'upload-offset': '1' }))
        return await stage.whileActorsAreBroken(sendTransferChunk, sent)
      },
      '507 INSUFFICIENT_STORAGE': async (stage) => {
        const sent = chunk((await transferOn(stage.world)).source)
        stage.world.blobs.free = 0
        try {
          return await stage.call(sendTransferChunk, sent)
        } finally {
          stage.world.blobs.free = Number.POSITIVE_INFINITY
        }
      },
    },
  },
  {
    route: completeTransfer,
    right: async (stage) => (await storedOn(stage)).target,
    own: {
      '400 BAD_USER_INPUT': ofWorld(({ source }) => add(source, { 'x-agent-epoch': 'one' })),
      '403 FORBIDDEN': async (stage) => stranger(stage, (await transferOn(stage.world)).source),
      '404 NOT_FOUND': async (stage) => elsewhere(stage, (await transferOn(stage.world)).source),
      '409 CONFLICT': ofWorld(({ source }) => source),
      '409 STALE_EPOCH': ofWorld(({ source }) => add(source, { 'x-agent-epoch': '3' })),
      '409 FAILED_PRECONDITION': ofWorld(({ target }) => target),
      '500 INTERNAL_ERROR': async (stage) => {
        const { source } = await transferOn(stage.world)
        // So that this process has cached the credential.
        await stage.call(completeTransfer, source)
        return await stage.whileActorsAreBroken(completeTransfer, source)
      },
      '422 CHECKSUM_MISMATCH': async (stage) => {
        const { source } = await transferOn(stage.world, { declared: 'other' })
        await stage.call(sendTransferChunk, chunk(source))
        return source
      },
    },
  },
]
