import { dsymUploadRoutes } from '../../../../spec/apps/dsymUploadRoutes.ts'
import { newImageUuid, zipOfDsyms } from '../../../kit/program/objects/dsymZips.ts'
import { sha256, type TestGateway } from '../../../kit/runtime/testGateway.ts'
import { type Sent, slowBody } from './call.ts'
import type { Cases } from './caseForm.ts'
import type { TroubledGateways } from './troubledGateways.ts'

const { createDsymUpload, inspectDsymUpload, sendDsymChunk, deleteDsymUpload, completeDsymUpload, listDsyms } =
  dsymUploadRoutes

type Headers = Readonly<Record<string, string>>

const newZip = (): Buffer =>
  zipOfDsyms([{ name: 'Shop.app', bundleIdentifier: 'org.example.shop', uuid: newImageUuid() }])

async function keyOf(world: TestGateway): Promise<Headers> {
  return { 'x-api-key': (await world.apiKey((await world.signIn()).userId)).token }
}

interface Variations {
  readonly bytes?: Buffer
  readonly declared?: string
  readonly size?: number
}

async function uploadOn(world: TestGateway, { bytes = newZip(), declared, size = bytes.length }: Variations = {}) {
  const headers = await keyOf(world)
  const id = world.newId('dsymUpload')
  const create = {
    ...{ name: 'dSYMs.zip', size, sha256: declared ?? sha256(bytes), duplicateOf: null, requestKey: null },
    ...{ createdBy: 'key_1', createdAt: Date.now() },
  }
  await world.ask({ kind: 'dsymUpload', id }, { type: 'create' }, create)
  return { id, headers, bytes, params: { uploadId: id } }
}

async function created({ world }: TroubledGateways, more: Readonly<Record<string, unknown>> = {}): Promise<Sent> {
  const bytes = newZip()
  const body = { filename: 'dSYMs.zip', size: bytes.length, sha256: sha256(bytes), ...more }
  return { headers: await keyOf(world), body }
}

async function named({ world }: TroubledGateways, more: Headers = {}): Promise<Sent> {
  const { headers, params } = await uploadOn(world)
  return { headers: { ...headers, ...more }, params }
}

const chunkHeaders = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }

async function chunk({ world }: TroubledGateways, more: Headers = {}, how: Variations = {}): Promise<Sent> {
  const { headers, params, bytes } = await uploadOn(world, how)
  return { headers: { ...headers, ...chunkHeaders, ...more }, params, body: bytes }
}

async function received({ world }: TroubledGateways, how: Variations = {}): Promise<Sent> {
  const { id, headers, params, bytes } = await uploadOn(world, how)
  const to = { kind: 'dsymUpload', id } as const
  await world.ask(to, { type: 'begin' })
  await world.blobs.append(`dsym-uploads/${id}`, 0, bytes)
  await world.ask(to, { type: 'advance', writer: 1, offset: bytes.length })
  return { headers, params }
}

const unknownId = async (stage: TroubledGateways, sent: Promise<Sent>): Promise<Sent> => ({
  ...(await sent),
  params: { uploadId: stage.world.newId('dsymUpload') },
})

const wrongId = async (sent: Promise<Sent>): Promise<Sent> => ({ ...(await sent), params: { uploadId: 'x' } })

/** The actors do not answer, and the credential was cached by this process before. */
async function broken(stage: TroubledGateways, route: Cases['route'], sent: Sent) {
  await stage.call(listDsyms, { ...(sent.headers && { headers: { 'x-api-key': sent.headers['x-api-key'] ?? '' } }) })
  return await stage.whileBroken(route, sent)
}

async function withoutRoom(stage: TroubledGateways, route: Cases['route'], sent: Sent) {
  stage.world.blobs.free = 0
  try {
    return await stage.call(route, sent)
  } finally {
    stage.world.blobs.free = Number.POSITIVE_INFINITY
  }
}

const oldTus = { 'tus-resumable': '0.2.0' }

export const dsymCases: readonly Cases[] = [
  {
    route: createDsymUpload,
    right: (stage) => created(stage),
    own: {
      '400 BAD_USER_INPUT': (stage) => created(stage, { size: 0 }),
      '408 BAD_USER_INPUT': async ({ strict }) =>
        slowBody(strict.gateway.port, createDsymUpload, { headers: await keyOf(strict) }),
      '409 CONFLICT': async (stage) => {
        const sent = await created(stage)
        const headers = { ...sent.headers, 'idempotency-key': 'one' }
        await stage.call(createDsymUpload, { ...sent, headers })
        return { ...(await created(stage)), headers }
      },
      '412 BAD_USER_INPUT': async (stage) => {
        const sent = await created(stage)
        return { ...sent, headers: { ...sent.headers, ...oldTus } }
      },
      '413 PAYLOAD_TOO_LARGE': (stage) => created(stage, { size: 1024 ** 4 }),
      '500 INTERNAL_ERROR': async (stage) => broken(stage, createDsymUpload, await created(stage)),
      '507 INSUFFICIENT_STORAGE': async (stage) => withoutRoom(stage, createDsymUpload, await created(stage)),
    },
  },
  {
    route: inspectDsymUpload,
    right: (stage) => named(stage),
    own: {
      '400': (stage) => wrongId(named(stage)),
      '401': (stage) => named(stage, { 'x-api-key': 'unknown' }),
      '404': (stage) => unknownId(stage, named(stage)),
      '412': (stage) => named(stage, oldTus),
    },
  },
  {
    route: sendDsymChunk,
    right: (stage) => chunk(stage),
    own: {
      '400 BAD_USER_INPUT': (stage) => chunk(stage, { 'upload-offset': '-1' }),
      '404 NOT_FOUND': (stage) => unknownId(stage, chunk(stage)),
      '408 BAD_USER_INPUT': async ({ strict }) => {
        const { headers, params } = await uploadOn(strict)
        return slowBody(strict.gateway.port, sendDsymChunk, { params, headers: { ...headers, ...chunkHeaders } })
      },
      '409 CONFLICT': (stage) => chunk(stage, { 'upload-offset': '2' }),
      '409 FAILED_PRECONDITION': async (stage) => {
        const { id, headers, params, bytes } = await uploadOn(stage.world)
        const to = { kind: 'dsymUpload', id } as const
        await stage.world.ask(to, { type: 'begin' })
        // The storage has none of these bytes.
        await stage.world.ask(to, { type: 'advance', writer: 1, offset: 3 })
        return { params, headers: { ...headers, ...chunkHeaders, 'upload-offset': '3' }, body: bytes.subarray(3) }
      },
      '412 BAD_USER_INPUT': (stage) => chunk(stage, oldTus),
      '413 PAYLOAD_TOO_LARGE': (stage) => chunk(stage, {}, { size: 10 }),
      '415 BAD_USER_INPUT': (stage) => chunk(stage, { 'content-type': 'text/plain' }),
      '500 INTERNAL_ERROR': async (stage) => broken(stage, sendDsymChunk, await chunk(stage)),
      '507 INSUFFICIENT_STORAGE': async (stage) => withoutRoom(stage, sendDsymChunk, await chunk(stage)),
    },
  },
  {
    route: deleteDsymUpload,
    right: (stage) => named(stage),
    own: {
      '400 BAD_USER_INPUT': (stage) => wrongId(named(stage)),
      '404 NOT_FOUND': (stage) => unknownId(stage, named(stage)),
      '409 FAILED_PRECONDITION': async (stage) => {
        const sent = await received(stage)
        await stage.call(completeDsymUpload, sent)
        return sent
      },
      '412 BAD_USER_INPUT': (stage) => named(stage, oldTus),
      '500 INTERNAL_ERROR': async (stage) => broken(stage, deleteDsymUpload, await named(stage)),
    },
  },
  {
    route: completeDsymUpload,
    right: (stage) => received(stage),
    own: {
      '400 BAD_USER_INPUT': (stage) => wrongId(received(stage)),
      '404 NOT_FOUND': (stage) => unknownId(stage, received(stage)),
      '409 CONFLICT': (stage) => named(stage),
      '409 FAILED_PRECONDITION': (stage) => received(stage, { bytes: Buffer.from('no zip') }),
      '422 CHECKSUM_MISMATCH': (stage) => received(stage, { declared: 'f'.repeat(64) }),
      '500 INTERNAL_ERROR': async (stage) => broken(stage, completeDsymUpload, await received(stage)),
    },
  },
  {
    route: listDsyms,
    right: async ({ world }) => ({ headers: await keyOf(world) }),
    own: {
      '400 BAD_USER_INPUT': async ({ world }) => ({ headers: await keyOf(world), query: '?first=0' }),
      '404 NOT_FOUND': async ({ world }) => ({ headers: await keyOf(world), query: '?bundleIdentifier=org.none' }),
      '500 INTERNAL_ERROR': async (stage) => broken(stage, listDsyms, { headers: await keyOf(stage.world) }),
    },
  },
]
