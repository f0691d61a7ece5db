/** Files for runs: what is stored of an upload, how it is downloaded, and who gets it. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { requireAttachments } from '../../../gateway/operations/runs/attachments/requireAttachments.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import type { Principal } from '../../../spec/core/principal.ts'
import { attachmentBlob } from '../../../spec/runs/attachments.ts'
import { until } from '../../kit/program/until.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { newToken, sha256, startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'
import { refusal } from '../../kit/runtime/testSystem.ts'

interface Stored {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly contentType: string
  readonly sha256: string
}

const KiB = 1024
let world: TestGateway
let user: { userId: string; token: string }

before(async () => {
  const limits = { attachmentBytes: 256 * KiB, diskReserveBytes: 1_000, failedLookupsPerMinute: 10_000 }
  world = await startTestGateway({ settings: { limits }, options: { operations, objectTypes } })
  user = await world.signIn()
})
after(() => world?.stop())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

function form(content: BlobPart, name = 'a.txt', type = 'text/plain', field = 'file'): FormData {
  const data = new FormData()
  data.append(field, new Blob([content], { type }), name)
  return data
}

function post(body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${world.url}/api/run-attachments`, {
    method: 'POST',
    headers: { ...bearer(user.token), ...headers },
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit)
}

async function upload(content: BlobPart = 'hello', name?: string, type?: string): Promise<Stored> {
  const response = await post(form(content, name, type))
  assert.equal(response.status, 201, await response.clone().text())
  return (await response.json()) as Stored
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${world.url}/api/${path}`, { method, headers: { ...bearer(user.token), ...headers } })

async function refused(response: Response): Promise<{ status: number; code: string; message: string; field?: string }> {
  const { error } = (await response.json()) as { error: { code: string; message: string; field?: string } }
  return { status: response.status, ...error }
}

/** The body of a form, byte by byte as given. */
const raw = (lines: readonly string[]) => lines.join('\r\n')
const boundary = 'xyz'
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }
const part = (headers: readonly string[], content: string) => [`--${boundary}`, ...headers, '', content]

describe('an upload', () => {
  test('returns its name, size, type and checksum', async () => {
    const content = randomBytes(200 * KiB)
    const { id, ...stored } = await upload(content, 'plan.pdf', 'application/pdf')
    assert.match(id, /^att_/)
    const hash = createHash('sha256').update(content).digest('hex')
    assert.deepEqual(stored, { name: 'plan.pdf', size: 200 * KiB, contentType: 'application/pdf', sha256: hash })
    assert.equal(await world.blobs.size(attachmentBlob(id)), 200 * KiB)
  })

  test('may be empty', async () => {
    const { id, size, sha256: hash } = await upload('', 'empty')
    assert.deepEqual([size, hash], [0, sha256('')])
    const response = await get(`run-attachments/${id}`)
    assert.deepEqual([response.status, response.headers.get('content-length'), await response.text()], [200, '0', ''])
    assert.equal((await get(`run-attachments/${id}`, { range: 'bytes=0-' })).status, 416)
  })

  const names: Readonly<Record<string, string>> = {
    'Größe 測試 🚀.txt': 'Größe 測試 🚀.txt',
    'C:\\fakepath\\notes.txt': 'notes.txt',
    '../../etc/passwd': 'passwd',
    'a\u202egpj.exe': 'agpj.exe',
    ' a.txt ': 'a.txt',
    [`${'ä'.repeat(127)}x`]: `${'ä'.repeat(127)}x`,
  }
  for (const [given, kept] of Object.entries(names))
    test(`named ${JSON.stringify(given.slice(0, 30))} keeps the last component of its name`, async () => {
      assert.equal((await upload('x', given)).name, kept)
    })

  for (const name of ['.', '..', '/', '\u0007', 'ä'.repeat(128)])
    test(`is refused with the name ${JSON.stringify(name.slice(0, 10))}`, async () => {
      const { status, code, field, message } = await refused(await post(form('x', name)))
      assert.deepEqual([status, code, field], [400, 'BAD_USER_INPUT', 'file'])
      assert.match(message, /file name/)
    })

  test('keeps its media type without parameters, and is refused if the type is invalid', async () => {
    const named = (type: string) =>
      raw([
        ...part(
          ['Content-Disposition: form-data; name="file"; filename="a"', ...(type ? [`Content-Type: ${type}`] : [])],
          'x',
        ),
        `--${boundary}--`,
        '',
      ])
    const typeOf = async (type: string) => ((await (await post(named(type), multipart)).json()) as Stored).contentType
    assert.equal(await typeOf('Text/HTML; charset=utf-8'), 'text/html')
    assert.equal(await typeOf('application/vnd.api+json'), 'application/vnd.api+json')
    assert.equal(await typeOf('application/octet-stream'), 'application/octet-stream')
    const { status, message } = await refused(await post(named('nonsense'), multipart))
    assert.equal(status, 400)
    assert.match(message, /type\/subtype/)
  })

  const file = part(['Content-Disposition: form-data; name="file"; filename="a.txt"'], 'x')
  const wrong: Readonly<Record<string, readonly [string, RegExp]>> = {
    'no part': [raw([`--${boundary}--`, '']), /must be given/],
    'an empty body': ['', /must be/],
    'another field': [
      raw([...part(['Content-Disposition: form-data; name="upload"; filename="a"'], 'x'), `--${boundary}--`, '']),
      /name of the field/,
    ],
    'a text instead of a file': [
      raw([...part(['Content-Disposition: form-data; name="file"'], 'x'), `--${boundary}--`, '']),
      /file name/,
    ],
    'a further field': [
      raw([...file, ...part(['Content-Disposition: form-data; name="note"'], 'x'), `--${boundary}--`, '']),
      /remove "note"/,
    ],
    'two files': [raw([...file, ...file, `--${boundary}--`, '']), /one file/],
    'a part without an end': [raw(file), /./],
    'a text that is not a form': ['hello', /./],
  }
  for (const [name, [body, message]] of Object.entries(wrong))
    test(`with ${name} is refused and leaves no attachment`, async () => {
      const before = world.blobs.names().length
      const answer = await refused(await post(body, multipart))
      assert.deepEqual([answer.status, answer.code, answer.field], [400, 'BAD_USER_INPUT', 'file'], answer.message)
      assert.match(answer.message, message)
      assert.equal((await listed()).length, (await unattached()).length)
      assert.ok(world.blobs.names().length <= before + 1)
    })

  test('is refused without a boundary, with another media type, and if it is compressed', async () => {
    const without = await refused(await post('x', { 'content-type': 'multipart/form-data' }))
    assert.deepEqual([without.status, without.field], [400, 'Content-Type'])
    assert.equal((await post('{}', { 'content-type': 'application/json' })).status, 415)
    assert.equal((await post('x', { ...multipart, 'content-encoding': 'gzip' })).status, 415)
  })

  test('of exactly the limit is stored, and one with one byte more gets 413', async () => {
    assert.equal((await upload(new Uint8Array(256 * KiB))).size, 256 * KiB)
    const { status, code, message } = await refused(await post(form(new Uint8Array(256 * KiB + 1))))
    assert.deepEqual([status, code], [413, 'PAYLOAD_TOO_LARGE'])
    assert.match(message, /262144 bytes/)
  })

  test('in chunks without a declared size gets 413 if it is too large', async () => {
    const { body, headers } = new Response(form(new Uint8Array(2 * 1024 * KiB)))
    const { status } = await refused(
      await post(body as ReadableStream, { 'content-type': headers.get('content-type') ?? '' }),
    )
    assert.equal(status, 413)
  })

  test('gets 507 if the free space of the disk would fall below the reserve', async () => {
    world.blobs.free = 50 * KiB
    try {
      assert.equal((await upload('small')).size, 5)
      const { status, code, message } = await refused(await post(form(new Uint8Array(60 * KiB))))
      assert.deepEqual([status, code], [507, 'INSUFFICIENT_STORAGE'])
      assert.match(message, /1000 bytes of its disk stay free/)
    } finally {
      world.blobs.free = Number.POSITIVE_INFINITY
    }
  })

  test('whose caller disconnects is removed', async () => {
    const given = new AbortController()
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(
          Buffer.from(raw([...part(['Content-Disposition: form-data; name="file"; filename="cut.txt"'], 'first')])),
        )
      },
    })
    const sent = fetch(`${world.url}/api/run-attachments`, {
      method: 'POST',
      headers: { ...bearer(user.token), ...multipart },
      body: stream,
      duplex: 'half',
      signal: given.signal,
    } as RequestInit)
    const find = async (status: string) =>
      (await world.storage.views.list({ kind: 'runAttachment', statuses: [status], limit: 1_000 })).find(
        ({ init }) => init.name === 'cut.txt',
      )
    await until('it is being received', () => find('RECEIVING'))
    given.abort()
    await assert.rejects(sent)
    const removed = await until('it is removed', () => find('REMOVED'))
    const blob = attachmentBlob(removed.id)
    await until('its bytes are removed', async () => (await world.blobs.size(blob)) === undefined || undefined)
  })
})

async function unattached() {
  return await world.storage.views.list({
    kind: 'runAttachment',
    where: { scopeId: user.userId },
    statuses: ['UNATTACHED'],
    limit: 1_000,
  })
}

async function listed(query = ''): Promise<readonly Stored[]> {
  const response = await get(`run-attachments${query}`)
  return ((await response.json()) as { attachments: readonly Stored[] }).attachments
}

describe('a download', () => {
  const content = 'zero one two'

  test('is saved under the name of the file, and a browser does not display it', async () => {
    const { id, sha256: hash } = await upload(content, 'Größe "1".html', 'text/html')
    const response = await get(`run-attachments/${id}`)
    assert.equal(await response.text(), content)
    const header = (name: string) => response.headers.get(name)
    assert.equal(
      header('content-disposition'),
      `attachment; filename="Gr__e _221_22.html"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%25221%2522.html`,
    )
    assert.deepEqual(
      ['content-type', 'content-length', 'x-content-type-options', 'etag', 'accept-ranges'].map(header),
      ['text/html', '12', 'nosniff', `"${hash}"`, 'bytes'],
    )
    assert.match(header('content-security-policy') ?? '', /sandbox/)
    const head = await get(`run-attachments/${id}`, {}, 'HEAD')
    assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '12', ''])
  })

  const ranges: Readonly<Record<string, readonly [string, string]>> = {
    'bytes=0-3': ['zero', 'bytes 0-3/12'],
    'bytes=5-': ['one two', 'bytes 5-11/12'],
    'bytes=-3': ['two', 'bytes 9-11/12'],
    'bytes=9-999': ['two', 'bytes 9-11/12'],
    'bytes=-999': [content, 'bytes 0-11/12'],
  }
  for (const [range, [bytes, position]] of Object.entries(ranges))
    test(`of ${range} returns ${position}`, async () => {
      const response = await get(`run-attachments/${(await upload(content)).id}`, { range })
      assert.deepEqual([response.status, await response.text()], [206, bytes])
      assert.equal(response.headers.get('content-range'), position)
      assert.equal(response.headers.get('content-length'), String(bytes.length))
    })

  test('with several ranges, another unit or an invalid range returns the whole file', async () => {
    const { id } = await upload(content)
    for (const range of ['bytes=0-1,3-4', 'lines=0-1', 'bytes=-', 'bytes=3-1', 'bytes=a-b'])
      assert.equal((await get(`run-attachments/${id}`, { range })).status, 200, range)
  })

  test('beyond the end gets 416 with the size', async () => {
    const { id } = await upload(content)
    for (const range of ['bytes=12-', 'bytes=-0']) {
      const response = await get(`run-attachments/${id}`, { range })
      assert.deepEqual([response.status, response.headers.get('content-range')], [416, 'bytes */12'])
      assert.equal((await refused(response)).code, 'RANGE_NOT_SATISFIABLE')
    }
  })

  test('continues only if the file is the same', async () => {
    const { id, sha256: hash } = await upload(content)
    const status = async (etag: string) =>
      (await get(`run-attachments/${id}`, { range: 'bytes=0-1', 'if-range': etag })).status
    assert.deepEqual([await status(`"${hash}"`), await status('"other"')], [206, 200])
  })

  test('of lost bytes or of an unknown attachment gets 404', async () => {
    const { id } = await upload(content)
    await world.blobs.remove(attachmentBlob(id))
    assert.equal((await get(`run-attachments/${id}`)).status, 404)
    assert.equal((await get(`run-attachments/${world.newId('runAttachment')}`)).status, 404)
  })
})

/** A run of an agent with these attachments. It is created as a request creates it. */
async function startRun(agentId: string, attachmentIds: readonly string[]): Promise<string> {
  const [id, worktreeId] = [world.newId('run'), world.newId('worktree')]
  const place = { worktreeId, agentId, ownerId: world.newId('session') }
  await world.ask(
    { kind: 'worktree', id: worktreeId },
    { type: 'create' },
    { ...inits.worktree, ...place, path: `/${worktreeId}`, adopted: true },
  )
  const queue = { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) } as const
  await world.ask(queue, { type: 'create' }, { ...inits.worktreeQueue, ...place })
  await world.ask(
    { kind: 'run', id },
    { type: 'create' },
    { ...inits.run, ...place, spec: { prompt: 'x', attachmentIds } },
  )
  await until('the run is admitted', async () =>
    (await world.storage.views.get('run', id))?.columns.status === 'ADMITTED' ? true : undefined,
  )
  return id
}

const statusOf = async (id: string) => (await world.storage.views.get('runAttachment', id))?.columns.status
const attached = (id: string) =>
  until(`${id} is attached`, async () => ((await statusOf(id)) === 'ATTACHED' ? true : undefined))
const endRun = (id: string) => world.ask({ kind: 'run', id }, { type: 'terminate' })
const own = (id: string, token: string) =>
  fetch(`${world.url}/api/agent/run-attachments/${id}`, { headers: bearer(token) })

describe('an attachment of a run', () => {
  test('is attached by the run, and listed in the order of the request', async () => {
    const { agentId } = await world.agent()
    const [a, b] = [await upload('a'), await upload('b')]
    const runId = await startRun(agentId, [b.id, a.id])
    await Promise.all([attached(a.id), attached(b.id)])
    assert.deepEqual(await listed(`?runId=${runId}`), [b, a])
    const ids = (await listed()).map(({ id }) => id)
    assert.ok(!ids.includes(a.id))
    assert.deepEqual(await listed(`?runId=${await startRun(agentId, [])}`), [])
    assert.equal((await get(`run-attachments?runId=${world.newId('run')}`)).status, 404)
    assert.equal((await get('run-attachments?runId=x')).status, 400)
  })

  test('can be downloaded by its agent and by the run itself, until the run has ended', async () => {
    const [{ agentId, token }, other] = [await world.agent(), await world.agent()]
    const { id } = await upload('secret')
    assert.equal((await own(id, token)).status, 403, 'no run has it yet')
    const runId = await startRun(agentId, [id])
    await attached(id)
    const runToken = newToken('agent_')
    await world.ask({ kind: 'run', id: runId }, { type: 'tokenIssued', hash: sha256(runToken), issuedAt: 1 })
    for (const one of [token, runToken]) {
      const response = await own(id, one)
      assert.deepEqual([response.status, await response.text()], [200, 'secret'])
    }
    assert.deepEqual(await refused(await own(id, other.token)).then(({ status, code }) => [status, code]), [
      403,
      'FORBIDDEN',
    ])
    assert.equal((await own(id, user.token)).status, 403, 'a session has its own route')
    assert.equal((await own(id, (await world.apiKey(user.userId)).token)).status, 401)
    assert.equal((await own(world.newId('runAttachment'), token)).status, 404)
    await endRun(runId)
    assert.equal((await own(id, token)).status, 403)
    assert.equal((await own(id, runToken)).status, 401, 'the token ends with its run')
    assert.equal((await get(`run-attachments/${id}`)).status, 200, 'users still have it')
  })

  test('also belongs to a retry of the run', async () => {
    const { agentId, token } = await world.agent()
    const { id } = await upload()
    const first = await startRun(agentId, [id])
    await attached(id)
    await endRun(first)
    assert.equal((await own(id, token)).status, 403)
    const second = await startRun(agentId, [id])
    assert.equal((await own(id, token)).status, 200)
    assert.deepEqual(
      (await listed(`?runId=${second}`)).map((one) => one.id),
      [id],
    )
  })

  test('is shown as an object of GraphQL', async () => {
    const { agentId } = await world.agent()
    const { id } = await upload('abc', 'notes.md', 'text/markdown')
    const runId = await startRun(agentId, [id])
    await attached(id)
    const query =
      'query ($id: ID!) { node(id: $id) { ... on RunAttachment { id status name size contentType sha256 run { id } } } }'
    const { body } = await world.graphql(query, { id }, bearer(user.token))
    assert.deepEqual(JSON.parse(JSON.stringify(body.data)), {
      node: {
        id,
        status: 'ATTACHED',
        name: 'notes.md',
        size: 3,
        contentType: 'text/markdown',
        sha256: sha256('abc'),
        run: { id: runId },
      },
    })
  })
})

describe('a file can be given to a new run', () => {
  const check = (ids: readonly string[], principal: Principal, now = Date.now()) =>
    requireAttachments(ids, { views: withRowTypes(world.storage.views), principal, now })
  const asUser = (userId: string): Principal => ({ kind: 'user', userId, sessionId: 'ase_1' })

  test('by the user who uploaded it, and by a key of that user', async () => {
    const { id } = await upload()
    assert.deepEqual(await check([id, id], asUser(user.userId)), [id])
    assert.deepEqual(await check([id], { kind: 'apiKey', userId: user.userId, keyId: 'key_1' }), [id])
    assert.equal((await refusal(check([id], asUser('usr_2')))).code, 'FORBIDDEN')
    assert.equal((await refusal(check([world.newId('runAttachment')], asUser(user.userId)))).code, 'NOT_FOUND')
    const many = Array.from({ length: 11 }, () => world.newId('runAttachment'))
    assert.equal((await refusal(check(many, asUser(user.userId)))).code, 'BAD_USER_INPUT')
  })

  test('unless it expires soon or belongs to another run', async () => {
    const { id } = await upload()
    const soon = Date.now() + 86_400_000 - 60_000
    assert.equal((await refusal(check([id], asUser(user.userId), soon))).code, 'FAILED_PRECONDITION')
    const { agentId } = await world.agent()
    const runId = await startRun(agentId, [id])
    await attached(id)
    assert.match((await refusal(check([id], asUser(user.userId)))).message, new RegExp(runId))
    // A run passes its own on to the runs that it starts.
    assert.deepEqual(await check([id], { kind: 'run', runId, agentId }), [id])
    assert.equal((await refusal(check([(await upload()).id], { kind: 'run', runId, agentId }))).code, 'FORBIDDEN')
  })
})

test('the list of unattached files is that of the caller, newest first and in pages', async () => {
  const { token } = await world.signIn()
  const before = user
  user = { ...before, token }
  try {
    const ids: string[] = []
    for (let n = 0; n < 103; n++) ids.unshift((await upload('x', `${n}`)).id)
    const page = async (query = '') =>
      (await (await get(`run-attachments${query}`)).json()) as { attachments: Stored[]; nextCursor: string | null }
    const first = await page()
    assert.deepEqual(
      first.attachments.map(({ id }) => id),
      ids.slice(0, 100),
    )
    const second = await page(`?after=${first.nextCursor}`)
    assert.deepEqual([second.attachments.map(({ id }) => id), second.nextCursor], [ids.slice(100), null])
    assert.equal((await get('run-attachments?after=x')).status, 400)
    assert.equal((await get('run-attachments?runid=x')).status, 400)
  } finally {
    user = before
  }
})
