/** A gateway whose blobs are files, and uploads that an agent may send to it. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UploadInit } from '../../../../machines/builds/upload.ts'
import { uploadBlob } from '../../../../spec/builds/uploads.ts'
import type { ActorRow } from '../../../../spec/core/actor.ts'
import type { Limits } from '../../../../spec/core/limits.ts'
import { FileBlobs } from '../../../../storage/blobs/blobs.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import { startTestGateway, type TestGateway } from '../testGateway.ts'

export interface TestUpload {
  readonly id: string
  readonly url: string
  readonly blob: string
  row(): Promise<ActorRow>
  /** The bytes of the blob. */
  stored(): Promise<Buffer>
  head(headers?: Readonly<Record<string, string>>): Promise<Response>
  post(offset: number, body: Uint8Array, headers?: Readonly<Record<string, string>>): Promise<Response>
}

export interface UploadGateway extends AsyncDisposable {
  readonly world: TestGateway
  readonly folder: string
  readonly blobs: Blobs
  readonly agentId: string
  readonly headers: Readonly<Record<string, string>>
  /** An upload of these bytes, unless `init` states others. */
  upload(bytes: Uint8Array, init?: Partial<UploadInit>): Promise<TestUpload>
}

export async function startUploadGateway({
  limits,
  wrap = (blobs) => blobs,
}: {
  readonly limits?: Partial<Limits>
  wrap?(blobs: Blobs): Blobs
} = {}): Promise<UploadGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'sb-uploads-'))
  const blobs = wrap(new FileBlobs(join(folder, 'blobs')))
  const world = await startTestGateway({ settings: { limits }, options: { blobs } })
  const { agentId, token } = await world.agent()
  const headers = { authorization: `Bearer ${token}`, 'x-agent-epoch': '0' }
  return {
    world,
    folder,
    blobs,
    agentId,
    headers,
    upload: async (bytes, init = {}) => {
      const id = world.newId('upload')
      const create: UploadInit = {
        purpose: 'ARTIFACT',
        owner: null,
        name: 'App.ipa',
        contentType: 'application/octet-stream',
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        agentId,
        createdBy: agentId,
        createdAt: Date.now(),
        ...init,
      }
      await world.ask({ kind: 'upload', id }, { type: 'create' }, create)
      const url = `${world.url}/api/build-artifact-uploads/${id}`
      const blob = uploadBlob(id)
      return {
        id,
        url,
        blob,
        row: async () => {
          const row = await world.system.peek({ kind: 'upload', id })
          if (row === undefined) throw new Error(`there is no upload ${id}`)
          return row
        },
        stored: async () => {
          const chunks: Uint8Array[] = []
          for await (const chunk of blobs.read(blob, 0, (await blobs.size(blob)) ?? 0)) chunks.push(chunk)
          return Buffer.concat(chunks)
        },
        head: (more = {}) => fetch(url, { method: 'HEAD', headers: { ...headers, ...more } }),
        post: (offset, body, more = {}) =>
          fetch(url, {
            method: 'POST',
            headers: {
              ...headers,
              'content-type': 'application/octet-stream',
              'upload-offset': String(offset),
              ...more,
            },
            body: body as Uint8Array<ArrayBuffer>,
          }),
      }
    },
    async [Symbol.asyncDispose]() {
      await world.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
