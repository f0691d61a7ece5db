/** dSYMs over HTTP: created, sent in chunks, completed, indexed; and the refusals of each step. */
import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { symbolBlob } from '../../../gateway/operations/apps/indexing/symbolBlobs.ts'
import { dsymUploadMembers } from '../../../machines/apps/dsymUploadKeys.ts'
import { dsymUploadBlob } from '../../../spec/apps/dsymUploads.ts'
import { FileBlobs } from '../../../storage/blobs/blobs.ts'
import type { Blobs } from '../../../storage/ports/blobs.ts'
import { reportOf } from '../../kit/program/objects/crashes.ts'
import {
  infoPlist,
  newImageUuid,
  type SmallDsym,
  smallMachO,
  smallMachOBytes,
  storedZip,
  zipOfDsyms,
} from '../../kit/program/objects/dsymZips.ts'
import { until } from '../../kit/program/until.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const MiB = 1024 * 1024
let world: TestGateway
let folder: string
let blobs: Blobs
let key: string
let userToken: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sb-dsyms-'))
  blobs = new FileBlobs(join(folder, 'blobs'))
  world = await startTestGateway({ settings: { limits: { diskReserveBytes: 1 } }, options: { blobs } })
  const user = await world.signIn()
  userToken = user.token
  key = (await world.apiKey(user.userId)).token
})
after(async () => {
  await world?.stop()
  await rm(folder, { recursive: true, force: true })
})

type Headers = Readonly<Record<string, string>>

const call = (method: string, path: string, headers: Headers = {}, body?: Uint8Array | string) =>
  fetch(`${world.url}${path}`, {
    method,
    headers: { 'x-api-key': key, ...headers },
    ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
  })

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const uploads = '/api/dsyms/uploads'

async function create(bytes: Uint8Array, own: Readonly<Record<string, unknown>> = {}, headers: Headers = {}) {
  const input = { filename: 'dSYMs.zip', size: bytes.length, sha256: sha256(bytes), ...own }
  return await call('POST', uploads, { 'content-type': 'application/json', ...headers }, JSON.stringify(input))
}

interface Created {
  readonly id: string
  readonly status: string
  readonly offset: number
  readonly chunkSizeMax: number
  readonly expiresAt: string | null
  readonly duplicateOf?: string
}

async function begin(bytes: Uint8Array): Promise<string> {
  const answer = await create(bytes)
  assert.equal(answer.status, 201)
  return ((await answer.json()) as Created).id
}

const patch = (id: string, offset: number, bytes: Uint8Array, headers: Headers = {}) =>
  call(
    'PATCH',
    `${uploads}/${id}`,
    { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset), ...headers },
    bytes,
  )

const complete = (id: string) => call('POST', `${uploads}/${id}/complete`)

interface Completed {
  readonly id: string
  readonly status: string
  readonly duplicateOf?: string
  readonly dsyms: readonly {
    readonly id: string
    readonly name: string
    readonly bundleIdentifier: string | null
    readonly version: string
    readonly build: string
    readonly images: readonly { readonly uuid: string; readonly arch: string }[]
  }[]
  readonly warnings: readonly { readonly code: string; readonly bundle: string; readonly message: string }[]
  readonly crashesToSymbolicate: number
}

async function send(bytes: Uint8Array): Promise<{ readonly id: string; readonly result: Completed }> {
  const id = await begin(bytes)
  assert.equal((await patch(id, 0, bytes)).status, 204)
  const answer = await complete(id)
  assert.equal(answer.status, 200, await answer.clone().text())
  return { id, result: (await answer.json()) as Completed }
}

const errorOf = async (answer: Response) =>
  ((await answer.json()) as { error: Record<string, unknown> & { code: string; message: string } }).error

/** An app that no other test names. */
const newApp = (): string => `org.example.app${randomUUID().replaceAll('-', '')}`
const shop = (own: Partial<SmallDsym> = {}): SmallDsym => ({ name: 'Shop.app', bundleIdentifier: newApp(), ...own })

const rowOf = async (id: string) => await world.system.peek({ kind: 'dsymUpload', id })

describe('a zip', () => {
  test('is created, sent in chunks and indexed; its app is created, and its frameworks belong to the app', async () => {
    const app = newApp()
    const [own, framework, extension] = [newImageUuid(), newImageUuid(), newImageUuid()]
    const bytes = zipOfDsyms([
      { name: 'Shop.app', bundleIdentifier: app, uuid: own, padding: 9 * MiB },
      { name: 'Pay.framework', bundleIdentifier: 'com.example.pay', uuid: framework },
      { name: 'Widget.appex', bundleIdentifier: `${app}.widget`, uuid: extension },
    ])
    const answer = await create(bytes)
    const created = (await answer.json()) as Created
    assert.deepEqual(
      [answer.status, created.status, created.offset, created.chunkSizeMax],
      [201, 'CREATED', 0, 16 * MiB],
    )
    assert.equal(answer.headers.get('location'), `${uploads}/${created.id}`)
    assert.ok(Date.parse(created.expiresAt ?? '') > Date.now() + 23 * 3_600_000)
    for (const [from, to] of [
      [0, 1],
      [1, 5 * MiB],
      [5 * MiB, bytes.length],
    ] as const) {
      const sent = await patch(created.id, from, bytes.subarray(from, to))
      assert.deepEqual([sent.status, sent.headers.get('upload-offset')], [204, String(to)])
    }
    const head = await call('HEAD', `${uploads}/${created.id}`)
    assert.deepEqual(
      ['upload-offset', 'upload-length', 'cache-control'].map((name) => head.headers.get(name)),
      [String(bytes.length), String(bytes.length), 'no-store'],
    )
    const done = await complete(created.id)
    const result = (await done.json()) as Completed
    assert.deepEqual([done.status, result.status, result.warnings], [200, 'INDEXED', []])
    assert.deepEqual(
      result.dsyms.map(({ id: _, ...facts }) => facts),
      [
        ['Shop.app', app, own],
        ['Pay.framework', 'com.example.pay', framework],
        ['Widget.appex', `${app}.widget`, extension],
      ].map(([name, bundleIdentifier, uuid]) => ({
        ...{ name, bundleIdentifier, version: '1.2', build: '34' },
        images: [{ uuid, arch: 'arm64' }],
      })),
    )
    const ofApp = (await (await call('GET', `/api/dsyms?bundleIdentifier=${app}`)).json()) as Pick<Completed, 'dsyms'>
    assert.deepEqual(ofApp.dsyms.toReversed(), result.dsyms)
    const ofFramework = await call('GET', '/api/dsyms?bundleIdentifier=com.example.pay')
    assert.equal(ofFramework.status, 404, 'a framework does not become an app')
    const again = await complete(created.id)
    assert.deepEqual([again.status, await again.json()], [200, result], 'a repeat has the same answer')
    const size = smallMachOBytes + 9 * MiB
    assert.equal(await blobs.size(symbolBlob({ uuid: own, arch: 'arm64', size })), size)
    await until('the zip is deleted', async () =>
      (await blobs.size(dsymUploadBlob(created.id))) === undefined ? true : undefined,
    )
  })

  test('that was indexed before is a duplicate at its creation, and none of its bytes are sent', async () => {
    const bytes = zipOfDsyms([shop()])
    const first = await send(bytes)
    const answer = await create(bytes)
    const created = (await answer.json()) as Created
    assert.deepEqual(
      [answer.status, created.status, created.offset, created.duplicateOf],
      [201, 'DUPLICATE', bytes.length, first.id],
    )
    const result = (await (await complete(created.id)).json()) as Completed
    assert.deepEqual([result.status, result.duplicateOf, result.dsyms], ['DUPLICATE', first.id, first.result.dsyms])
  })

  test('has its dSYMs in a duplicate too, which outlives the upload that has indexed them', async () => {
    const bytes = zipOfDsyms([shop()])
    const first = await send(bytes)
    const { id } = (await (await create(bytes)).json()) as Created
    const row = await world.storage.views.get('dsymUpload', id)
    assert.deepEqual(
      await world.storage.views.members(id, dsymUploadMembers.dsym.prefix, 9),
      first.result.dsyms.map((dsym) => ({ key: 'dsym/000000', value: dsym.id })),
    )
    assert.equal(row?.columns.status, 'DUPLICATE')
  })

  test('is indexed again after one of its dSYMs was deleted', async () => {
    const bytes = zipOfDsyms([shop()])
    const { result } = await send(bytes)
    await world.ask({ kind: 'dsym', id: result.dsyms[0]?.id ?? '' }, { type: 'delete' })
    const again = await send(bytes)
    assert.equal(again.result.status, 'INDEXED')
    assert.notEqual(again.result.dsyms[0]?.id, result.dsyms[0]?.id)
  })

  test('that several requests complete at the same moment is indexed once', async () => {
    const bytes = zipOfDsyms(Array.from({ length: 20 }, (_, n) => shop({ name: `Shop${n}.app` })))
    const ids = await Promise.all(Array.from({ length: 4 }, () => begin(bytes)))
    await Promise.all(ids.map((id) => patch(id, 0, bytes)))
    const results = await Promise.all(
      [...ids, ...ids].map(async (id) => {
        const answer = await complete(id)
        assert.equal(answer.status, 200, await answer.clone().text())
        return (await answer.json()) as Completed
      }),
    )
    assert.deepEqual(
      results
        .slice(0, 4)
        .map(({ status }) => status)
        .sort(),
      ['DUPLICATE', 'DUPLICATE', 'DUPLICATE', 'INDEXED'],
    )
    const indexed = results.find(({ status }) => status === 'INDEXED')
    for (const { dsyms } of results) assert.deepEqual(dsyms, indexed?.dsyms)
    assert.equal(indexed?.dsyms.length, 20)
  })

  test('counts the crash reports that wait for its symbols', async () => {
    const uuid = newImageUuid()
    const app = newApp()
    for (let n = 0; n < 3; n++) {
      const report = reportOf(app, [uuid])
      const sent = await call(
        'POST',
        '/api/public/crash-reports',
        { 'content-type': 'application/json' },
        JSON.stringify(report),
      )
      assert.equal(sent.status, 201, await sent.text())
    }
    const { result } = await send(zipOfDsyms([{ name: 'Shop.app', bundleIdentifier: app, uuid }]))
    assert.equal(result.crashesToSymbolicate, 3)
  })
})

describe('the parts of a zip that cannot be indexed', () => {
  test('are warnings that name the dSYM, and the rest is indexed', async () => {
    const good = newImageUuid()
    const file = (bundle: string, name: string) => `${bundle}.dSYM/Contents/Resources/DWARF/${name}`
    const bytes = storedZip([
      ['Shop.app.dSYM/Contents/Info.plist', Buffer.from(infoPlist(newApp()))],
      [file('Shop.app', 'Shop'), smallMachO(good)],
      [file('Shop.app', 'Text'), Buffer.from('this is text')],
      [file('Bare.framework', 'Bare'), smallMachO(newImageUuid())],
      ['Empty.framework.dSYM/Contents/Info.plist', Buffer.from(infoPlist('com.example.empty'))],
    ])
    const { result } = await send(bytes)
    assert.deepEqual(
      result.dsyms.map(({ name, bundleIdentifier, version }) => [name, bundleIdentifier, version]),
      [
        ['Shop.app', result.dsyms[0]?.bundleIdentifier, '1.2'],
        ['Bare.framework', null, '0'],
      ],
    )
    assert.deepEqual(
      result.warnings.map(({ code, bundle, message }) => [code, bundle, message]),
      [
        ['UNREADABLE_SYMBOLS', 'Shop.app.dSYM', 'Text is not a Mach-O file.'],
        ['UNREADABLE_INFO_PLIST', 'Bare.framework.dSYM', 'Its Info.plist is missing or damaged.'],
        ['NO_SYMBOLS', 'Empty.framework.dSYM', 'It has no symbols that can be indexed.'],
      ],
    )
  })

  for (const [name, bytes, problem, message] of [
    ['text', Buffer.from('no zip'), 'INVALID_ZIP', /^The zip cannot be read: /],
    ['a zip without dSYMs', storedZip([['README.txt', Buffer.from('text')]]), 'NO_DSYMS', /has no dSYM/],
    [
      'a zip whose names leave their folder',
      storedZip([['../Shop.app.dSYM/Contents/Resources/DWARF/Shop', smallMachO(newImageUuid())]]),
      'INVALID_ZIP',
      /^The zip cannot be read: /,
    ],
  ] as const)
    test(`${name}: the upload fails, and its bytes are deleted`, async () => {
      const id = await begin(bytes)
      await patch(id, 0, bytes)
      const refused = await complete(id)
      const error = await errorOf(refused)
      assert.deepEqual([refused.status, error.code, error.problem], [409, 'FAILED_PRECONDITION', problem])
      assert.match(error.message, message)
      assert.equal((await errorOf(await complete(id))).problem, problem, 'a repeat has the same answer')
      await until('its bytes are deleted', async () =>
        (await blobs.size(dsymUploadBlob(id))) === undefined ? true : undefined,
      )
    })
})

describe('a request is refused', () => {
  const bytes = randomBytes(1_000)
  const cases: Readonly<Record<string, () => Promise<readonly [Response, number, string, RegExp]>>> = {
    'that completes an upload before all bytes have arrived, and the error has the offset': async () => {
      const id = await begin(bytes)
      await patch(id, 0, bytes.subarray(0, 10))
      const refused = await complete(id)
      assert.equal((await errorOf(refused.clone())).offset, 10)
      return [refused, 409, 'CONFLICT', /has 10 of 1000 bytes/]
    },
    'that completes an upload without a byte': async () => [
      await complete(await begin(bytes)),
      409,
      'CONFLICT',
      /has 0 of 1000 bytes/,
    ],
    'with another checksum than declared': async () => {
      const answer = await create(bytes, { sha256: 'f'.repeat(64) })
      const { id } = (await answer.json()) as Created
      await patch(id, 0, bytes)
      return [await complete(id), 422, 'CHECKSUM_MISMATCH', /was declared/]
    },
    'at a wrong offset, and the error has the right one': async () => {
      const id = await begin(bytes)
      const refused = await patch(id, 5, bytes.subarray(5))
      assert.equal((await errorOf(refused.clone())).offset, 0)
      return [refused, 409, 'CONFLICT', /Continue at Upload-Offset 0, not 5/]
    },
    'without an offset': async () => [
      await patch(await begin(bytes), 0, bytes, { 'upload-offset': '' }),
      400,
      'BAD_USER_INPUT',
      /Upload-Offset/,
    ],
    'with another media type': async () => [
      await patch(await begin(bytes), 0, bytes, { 'content-type': 'application/octet-stream' }),
      415,
      'BAD_USER_INPUT',
      /offset\+octet-stream/,
    ],
    'with more bytes than the zip has': async () => [
      await patch(await begin(bytes), 0, Buffer.concat([bytes, bytes])),
      413,
      'PAYLOAD_TOO_LARGE',
      /has 1000 bytes/,
    ],
    'with more than 16 MiB at once': async () => {
      const answer = await create(bytes, { size: 40 * MiB })
      const { id } = (await answer.json()) as Created
      return [await patch(id, 0, Buffer.alloc(16 * MiB + 1)), 413, 'PAYLOAD_TOO_LARGE', /at most 16777216 bytes/]
    },
    'of an upload that was deleted': async () => {
      const id = await begin(bytes)
      assert.equal((await call('DELETE', `${uploads}/${id}`)).status, 204)
      return [await patch(id, 0, bytes), 404, 'NOT_FOUND', /./]
    },
    'that deletes an indexed upload': async () => {
      const { id } = await send(zipOfDsyms([shop()]))
      return [await call('DELETE', `${uploads}/${id}`), 409, 'FAILED_PRECONDITION', /is INDEXED/]
    },
    'with an ID of another kind': async () => [
      await complete('upl_01h455vb4pex5vsknk084sn02q'),
      400,
      'BAD_USER_INPUT',
      /uploadId/,
    ],
    'with a wrong size': async () => [await create(bytes, { size: 0 }), 400, 'BAD_USER_INPUT', /size/],
    'with a size over the limit': async () => [
      await create(bytes, { size: 21 * 1024 ** 3 }),
      413,
      'PAYLOAD_TOO_LARGE',
      /at most 21474836480/,
    ],
    'with a wrong checksum': async () => [await create(bytes, { sha256: 'x' }), 400, 'BAD_USER_INPUT', /sha256/],
    'with the Idempotency-Key of another file': async () => {
      const own = { 'idempotency-key': randomUUID() }
      await create(bytes, {}, own)
      return [await create(randomBytes(10), {}, own), 409, 'CONFLICT', /Idempotency-Key/]
    },
    'for a list with a wrong number': async () => [
      await call('GET', '/api/dsyms?first=0'),
      400,
      'BAD_USER_INPUT',
      /first/,
    ],
  }
  for (const [name, lead] of Object.entries(cases))
    test(name, async () => {
      const [answer, status, code, message] = await lead()
      const error = await errorOf(answer)
      assert.deepEqual([answer.status, error.code], [status, code], error.message)
      assert.match(error.message, message)
    })

  test('without a valid API key, also with a session', async () => {
    const id = await begin(bytes)
    const others = [{}, { 'x-api-key': 'wrong' }, { authorization: `Bearer ${userToken}` }]
    for (const headers of others)
      for (const [method, path] of [
        ['POST', uploads],
        ['HEAD', `${uploads}/${id}`],
        ['PATCH', `${uploads}/${id}`],
        ['DELETE', `${uploads}/${id}`],
        ['POST', `${uploads}/${id}/complete`],
        ['GET', '/api/dsyms'],
      ] as const) {
        const answer = await fetch(`${world.url}${path}`, { method, headers: headers as Record<string, string> })
        assert.equal(answer.status, 401, `${method} ${path} ${JSON.stringify(headers)}`)
      }
  })
})

test('a repeat of the creation with the same key continues the same upload, until it has ended', async () => {
  const bytes = zipOfDsyms([shop()])
  const own = { 'idempotency-key': randomUUID() }
  const [first, second] = await Promise.all([create(bytes, {}, own), create(bytes, {}, own)])
  assert.deepEqual([first.status, second.status], [201, 201], await second.clone().text())
  const { id } = (await first.json()) as Created
  assert.equal(((await second.json()) as Created).id, id)
  await patch(id, 0, bytes.subarray(0, 100))
  const repeat = (await (await create(bytes, {}, own)).json()) as Created
  assert.deepEqual([repeat.id, repeat.offset, repeat.status], [id, 100, 'RECEIVING'])
  await call('DELETE', `${uploads}/${id}`)
  assert.notEqual(((await (await create(bytes, {}, own)).json()) as Created).id, id)
})

test('an upload that was interrupted keeps its bytes, and is completed again', async () => {
  const bytes = zipOfDsyms([shop()])
  const id = await begin(bytes)
  await patch(id, 0, bytes)
  const to = { kind: 'dsymUpload', id } as const
  await world.ask(to, { type: 'complete' })
  // As the effect answers whose process has ended.
  await world.ask(to, { type: 'interrupted' }).catch(() => {})
  const { status, value } = { status: (await rowOf(id))?.columns.status, value: (await rowOf(id))?.columns.terminal }
  if (status === 'FAILED') assert.equal(value, false)
  assert.equal(((await (await complete(id)).json()) as Completed).status, 'INDEXED')
})

test('the list has the dSYMs of an app, newest first, in pages', async () => {
  const app = newApp()
  const { result } = await send(
    zipOfDsyms(['A', 'B', 'C'].map((name) => ({ name: `${name}.app`, bundleIdentifier: app }))),
  )
  const names: string[] = []
  let after: string | null = ''
  while (after !== null) {
    const query: string = new URLSearchParams({ bundleIdentifier: app, first: '2', ...(after && { after }) }).toString()
    const page = (await (await call('GET', `/api/dsyms?${query}`)).json()) as {
      readonly dsyms: readonly { readonly name: string }[]
      readonly endCursor: string | null
    }
    names.push(...page.dsyms.map(({ name }) => name))
    after = page.endCursor
  }
  assert.deepEqual(names, result.dsyms.map(({ name }) => name).reverse())
})
