/** One or two servers on one database, two agents, and uploads and transfers of these agents. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { machineRelease } from '../../../../actors/machineRelease.ts'
import type { BuildArtifactInit } from '../../../../machines/builds/buildArtifact.ts'
import type { ArtifactTransferInit } from '../../../../machines/builds/deployments/artifactTransfer.ts'
import type { UploadInit } from '../../../../machines/builds/upload.ts'
import { machines } from '../../../../machines/machines.ts'
import { uploadBlob } from '../../../../spec/builds/uploads.ts'
import { siblingId } from '../../../../spec/core/ids.ts'
import type { ActorKind } from '../../../../spec/core/kinds.ts'
import { FileBlobs } from '../../../../storage/blobs/blobs.ts'
import { S3Blobs } from '../../../../storage/blobs/s3/s3Blobs.ts'
import { S3Objects } from '../../../../storage/blobs/s3/s3Objects.ts'
import { openStorage } from '../../../../storage/open.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import type { Storage } from '../../../../storage/storage.ts'
import { connectBareAgent, enroll } from '../../../kit/program/bareAgent.ts'
import { firstKey, graphql } from '../../../kit/program/graphql.ts'
import type { Program } from '../../../kit/program/program.ts'
import { type CuttingTcpProxy, startCuttingTcpProxy } from '../../../kit/program/servers/cuttingTcpProxy.ts'
import { type S3Server, startS3Server } from '../../../kit/program/servers/s3Server.ts'
import { startSwiftServer } from '../../../kit/program/servers/swiftServer.ts'
import type { Ask, TestProgram } from '../../../kit/program/testProgram.ts'
import { shareBlobFolder, sharedDatabase } from '../../../kit/program/twoServers.ts'
import { until } from '../../../kit/program/until.ts'
import { systemClock } from '../../../kit/runtime/systemClock.ts'
import { openSystem, type TestSystem } from '../../../kit/runtime/testSystem.ts'

/** A stopped S3 has started again by then, ms. */
const readMs = 180_000

/** The files of one server, a folder that two servers share, s3rver, or OpenStack Swift. */
export const blobPlaces = ['files', 'folder', 's3', 'swift'] as const
export type BlobPlace = (typeof blobPlaces)[number]

export interface StageAgent {
  readonly agentId: string
  readonly credential: string
  readonly epoch: number
}

export interface UploadStage {
  /** The agent that sends uploads, and the files of transfers. */
  readonly source: StageAgent
  /** The agent that reads transfers. */
  readonly target: StageAgent
  /** The names of the servers. With `files` there is one. */
  readonly names: readonly string[]
  readonly blobs: Blobs
  readonly storage: Storage
  readonly system: TestSystem<typeof systemClock>
  /** S3 as the servers reach it. Undefined with files and a folder. */
  readonly s3: { readonly server: S3Server; readonly proxy: CuttingTcpProxy } | undefined
  server(name: string): Program
  /** The port of a server's API. It stays the same. */
  portOf(name: string): number
  /** Ends a server like a power failure, and starts it again. */
  killServer(name: string): Promise<void>
  /** Whether it was killed, and is not ready yet. */
  isRestarting(name: string): boolean
  /** The upload of an artifact. Returns its ID. That of the artifact follows from it. */
  createUpload(size: number, sha256: string): Promise<string>
  /** Asks a server to delete the artifact of an upload, and resolves when the upload has ended. Its bytes are removed later. */
  deleteUpload(id: string): Promise<void>
  /** A transfer of an artifact that is not stored. Returns its ID. Those of the artifact and of its upload follow from it. */
  createTransfer(size: number, sha256: string): Promise<string>
  statusOf(kind: ActorKind, id: string): Promise<string | undefined>
  /** The SHA-256 of the stored bytes of an upload. */
  storedSum(id: string): Promise<string>
  end(): Promise<void>
}

export interface UploadStageOptions {
  /** Added to the environment of the servers. */
  readonly env?: Readonly<Record<string, string>>
  /** Is called with the data folder of each server before its first start. */
  prepare?(dataDir: string): void
}

export async function startUploadStage(
  place: BlobPlace,
  { env = {}, prepare = () => {} }: UploadStageOptions = {},
): Promise<UploadStage> {
  const ends: (() => PromiseLike<unknown>)[] = []
  const startS3 = { files: undefined, folder: undefined, s3: startS3Server, swift: startSwiftServer }[place]
  const s3Server = await startS3?.()
  if (s3Server !== undefined) ends.unshift(() => s3Server[Symbol.asyncDispose]())
  const s3Proxy = s3Server && (await startCuttingTcpProxy(() => s3Server.port))
  if (s3Proxy !== undefined) ends.unshift(() => s3Proxy[Symbol.asyncDispose]())
  const shared = await sharedDatabase({
    LIMIT_DISK_RESERVE_BYTES: '1',
    ...(s3Server && s3Proxy ? s3Server.env('chaos', s3Proxy.port) : {}),
    ...env,
  })
  ends.unshift(() => shared.end())
  const names = place === 'files' ? ['one'] : ['one', 'two']
  const servers = new Map<string, Program>()
  for (const name of names) prepare(join(shared.folder, name))
  if (place === 'folder') await shareBlobFolder(shared.folder, names)
  for (const name of names) servers.set(name, await shared.start(name))
  const server = (name: string): Program => {
    const found = servers.get(name)
    if (found === undefined) throw new Error(`there is no server ${name}`)
    return found
  }
  const storage = await openStorage({
    ...shared.target,
    owner: 'driver',
    machines: machineRelease(Object.values(machines)),
    log: () => {},
  })
  // It sends messages only. The effects and timers of the actors are those of the servers.
  const system = openSystem({ storage, clock: systemClock, owner: 'driver', shared: true })
  ends.unshift(() => system.stop())
  const blobs: Blobs =
    s3Server === undefined
      ? new FileBlobs(join(shared.folder, 'one', 'blobs'))
      : new S3Blobs(new S3Objects(s3Server.settings('chaos'), () => {}), storage.blobParts)
  const { source, target, ask } = await enrolledAgents(server('one'))
  const restarting = new Map<string, Promise<void>>()
  /** The artifact and the upload with the same ID but for the prefix. */
  const createArtifact = async (id: string, size: number, sha256: string) => {
    const { agentId } = source
    const artifactId = siblingId('buildArtifact', id)
    const file = { contentType: 'application/octet-stream', size, sha256, createdAt: Date.now() }
    const artifact: BuildArtifactInit = {
      ...{ buildId: system.newId('build'), agentId, path: 'dist/app', retentionDays: 1, ...file },
    }
    await system.ask({ kind: 'buildArtifact', id: artifactId }, { type: 'create' }, artifact)
    const uploadId = siblingId('upload', id)
    const init: UploadInit = {
      ...{ purpose: 'ARTIFACT', owner: { kind: 'buildArtifact', id: artifactId }, name: 'app', ...file },
      ...{ agentId, createdBy: agentId },
    }
    await system.ask({ kind: 'upload', id: uploadId }, { type: 'create' }, init)
    return uploadId
  }
  const statusOf: UploadStage['statusOf'] = async (kind, id) => (await storage.views.get(kind, id))?.columns.status
  return {
    source,
    target,
    names,
    blobs,
    storage,
    system,
    s3: s3Server && s3Proxy && { server: s3Server, proxy: s3Proxy },
    server,
    portOf: (name) => Number(new URL(server(name).url).port),
    async killServer(name) {
      const known = restarting.get(name)
      if (known !== undefined) return await known
      const restarted = (async () => {
        await server(name).kill()
        servers.set(name, await shared.start(name))
      })().finally(() => restarting.delete(name))
      restarting.set(name, restarted)
      await restarted
    },
    isRestarting: (name) => restarting.has(name),
    createUpload: (size, sha256) => createArtifact(system.newId('upload'), size, sha256),
    async deleteUpload(id) {
      const input = { buildArtifactId: siblingId('buildArtifact', id) }
      const deletion =
        'mutation ($input: DeleteBuildArtifactInput!) { deleteBuildArtifact(input: $input) { buildArtifact { id } } }'
      // The server may be killed at the moment.
      await until('the deletion of an artifact', () => ask(deletion, { input }), readMs)
      await until('the end of a deleted upload', async () => (await statusOf('upload', id)) === 'DELETED', readMs)
    },
    async createTransfer(size, sha256) {
      const id = system.newId('artifactTransfer')
      await createArtifact(id, size, sha256)
      const transfer: ArtifactTransferInit = {
        ...{ deploymentId: system.newId('deployment'), artifactId: siblingId('buildArtifact', id), name: 'app' },
        ...{ size, sha256, createdAt: Date.now() },
        ...{ sourceAgentId: source.agentId, targetAgentId: target.agentId },
      }
      await system.ask({ kind: 'artifactTransfer', id }, { type: 'create' }, transfer)
      return id
    },
    statusOf,
    // S3 may be stopped at the moment.
    storedSum: (id) => until('the bytes of an upload', () => sumOf(blobs, uploadBlob(id)), readMs),
    async end() {
      for (const end of ends) await end()
    },
  }
}

async function sumOf(blobs: Blobs, name: string): Promise<string> {
  const hash = createHash('sha256')
  const path = blobs.fileOf(name)
  const bytes = path === undefined ? blobs.read(name, 0, (await blobs.size(name)) ?? 0) : createReadStream(path)
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) hash.update(chunk)
  return hash.digest('hex')
}

/** A source and a target, and the account of the first user. Their connections are closed at once. Their epochs stay the present ones. */
async function enrolledAgents({ url, agentUrl }: Program) {
  const key = await firstKey(url)
  const ask: Ask = (query, variables) => graphql(url, { 'X-API-Key': key }, query, variables)
  const stage = {
    url,
    ports: { agent: Number(new URL(agentUrl).port) },
    ask,
    onEnd: () => {},
  } as unknown as TestProgram
  const enrolled = async (name: string): Promise<StageAgent> => {
    const { credential, agentId } = await enroll(stage, name)
    const { close, epoch } = await connectBareAgent(stage, credential)
    await close()
    return { agentId, credential, epoch }
  }
  return { source: await enrolled('source'), target: await enrolled('target'), ask }
}
