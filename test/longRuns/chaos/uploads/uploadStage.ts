/** One or two servers on one database, an agent, and uploads that the agent may send. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { machineRelease } from '../../../../actors/machineRelease.ts'
import type { UploadInit } from '../../../../machines/builds/upload.ts'
import { machines } from '../../../../machines/machines.ts'
import { uploadBlob } from '../../../../spec/builds/uploads.ts'
import type { ActorRow } from '../../../../spec/core/actor.ts'
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
import type { TestProgram } from '../../../kit/program/testProgram.ts'
import { sharedDatabase } from '../../../kit/program/twoServers.ts'
import { systemClock } from '../../../kit/runtime/systemClock.ts'
import { openSystem, type TestSystem } from '../../../kit/runtime/testSystem.ts'

export type BlobPlace = 'files' | 's3'

export interface UploadStage {
  readonly agentId: string
  readonly credential: string
  readonly epoch: number
  /** The names of the servers. With files there is one. */
  readonly names: readonly string[]
  readonly blobs: Blobs
  readonly storage: Storage
  readonly system: TestSystem<typeof systemClock>
  /** S3 as the servers reach it. Undefined with files. */
  readonly s3: { readonly server: S3Server; readonly proxy: CuttingTcpProxy } | undefined
  server(name: string): Program
  /** Ends a server like a power failure, and starts it again. */
  killServer(name: string): Promise<void>
  create(size: number, sha256: string): Promise<string>
  row(id: string): Promise<ActorRow | undefined>
  /** The SHA-256 of the stored bytes of an upload. */
  storedSum(id: string): Promise<string>
  end(): Promise<void>
}

export async function startUploadStage(place: BlobPlace): Promise<UploadStage> {
  const ends: (() => PromiseLike<unknown>)[] = []
  const s3Server = place === 's3' ? await startS3Server() : undefined
  if (s3Server !== undefined) ends.unshift(() => s3Server[Symbol.asyncDispose]())
  const s3Proxy = s3Server && (await startCuttingTcpProxy(() => s3Server.port))
  if (s3Proxy !== undefined) ends.unshift(() => s3Proxy[Symbol.asyncDispose]())
  const shared = await sharedDatabase({
    LIMIT_DISK_RESERVE_BYTES: '1',
    ...(s3Server && s3Proxy ? s3Server.env('chaos', s3Proxy.port) : {}),
  })
  ends.unshift(() => shared.end())
  const names = place === 's3' ? ['one', 'two'] : ['one']
  const servers = new Map<string, Program>()
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
  const agent = await enrolledAgent(server('one'))
  const restarting = new Map<string, Promise<void>>()
  return {
    ...agent,
    names,
    blobs,
    storage,
    system,
    s3: s3Server && s3Proxy && { server: s3Server, proxy: s3Proxy },
    server,
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
    async create(size, sha256) {
      const id = system.newId('upload')
      const init: UploadInit = {
        ...{ purpose: 'ARTIFACT', owner: null, name: 'app', contentType: 'application/octet-stream', size, sha256 },
        ...{ agentId: agent.agentId, createdBy: agent.agentId, createdAt: Date.now() },
      }
      await system.ask({ kind: 'upload', id }, { type: 'create' }, init)
      return id
    },
    row: (id) => storage.views.get('upload', id),
    async storedSum(id) {
      const hash = createHash('sha256')
      const name = uploadBlob(id)
      const path = blobs.fileOf(name)
      const bytes = path === undefined ? blobs.read(name, 0, (await blobs.size(name)) ?? 0) : createReadStream(path)
      for await (const chunk of bytes as AsyncIterable<Uint8Array>) hash.update(chunk)
      return hash.digest('hex')
    },
    async end() {
      for (const end of ends) await end()
    },
  }
}

/** Its connection is closed at once. Its epoch stays the present one. */
async function enrolledAgent({ url, agentUrl }: Program) {
  const key = await firstKey(url)
  const stage = {
    url,
    ports: { agent: Number(new URL(agentUrl).port) },
    ask: <T>(query: string) => graphql<T>(url, { 'X-API-Key': key }, query),
    onEnd: () => {},
  } as unknown as TestProgram
  const { credential, agentId } = await enroll(stage, 'uploader')
  const connected = await connectBareAgent(stage, credential)
  await connected.close()
  return { agentId, credential, epoch: connected.epoch }
}
