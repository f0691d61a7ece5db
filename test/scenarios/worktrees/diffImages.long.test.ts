/** Images of a worktree before and after a change, read by the real agent from a real repository. */
import assert from 'node:assert/strict'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { git, type Machine, startMachine } from '../../kit/program/machine.ts'
import {
  animatedGif,
  blue,
  declarePng,
  gif,
  makePng,
  orientJpeg,
  readPng,
  red,
  redJpeg,
  redWebp,
} from '../../kit/program/objects/images.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

const maxBytes = 200_000
let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram({
    env: { LIMIT_DIFF_IMAGE_BYTES: String(maxBytes), LIMIT_DIFF_IMAGE_PIXELS: '1000000' },
  })
  machine = await startMachine(stage, { hasTestClis: false, branches: ['gone'] })
})
after(() => stage?.end())

async function write(path: string, content: string | Uint8Array): Promise<void> {
  const file = join(machine.repository, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

async function commit(...paths: string[]): Promise<string> {
  await git(machine.repository, 'add', '--', ...paths)
  await git(machine.repository, 'commit', '--quiet', '-m', `change ${paths.join(', ')}`)
  return await git(machine.repository, 'rev-parse', 'HEAD')
}

type Query = Readonly<Record<string, string>>

async function request(query: Query, headers: Query = {}, worktreeId = machine.worktree('main')): Promise<Response> {
  const url = `${stage.url}/api/worktrees/${worktreeId}/diff-image?${new URLSearchParams(query)}`
  return await fetch(url, { headers: { 'x-api-key': stage.key, ...headers } })
}

async function image(query: Query): Promise<{ bytes: Buffer; headers: Headers }> {
  const response = await request(query)
  assert.equal(response.status, 200, await response.clone().text())
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers }
}

/** The refusal as status, code and what is special about it. */
async function refused(query: Query, worktreeId?: string): Promise<readonly unknown[]> {
  const response = await request({ view: 'difference', ...query }, {}, worktreeId)
  const { error } = (await response.json()) as { error: Readonly<Record<string, unknown>> }
  assert.ok(typeof error.message === 'string' && error.message !== '')
  const { code, reason, side, state, problem, field } = error
  return [response.status, code, ...[reason, side, state, problem, field].filter((value) => value !== undefined)]
}

const dot = makePng(8, 4, (x, y) => (x < 2 && y < 2 ? blue : red))
const plain = makePng(8, 4, () => red)

describe('a PNG that changed and is not committed', () => {
  before(async () => {
    await write('assets/logo.png', plain)
    await commit('assets/logo.png')
    await write('assets/logo.png', dot)
  })

  test('both sides are the bytes of the files', async () => {
    const one = await image({ path: 'assets/logo.png', view: 'before' })
    assert.deepEqual(one.bytes, plain)
    const { bytes, headers } = await image({ path: 'assets/logo.png', view: 'after' })
    assert.deepEqual(bytes, dot)
    const shown = Object.fromEntries(headers)
    assert.equal(shown['content-type'], 'image/png')
    assert.equal(shown['x-content-type-options'], 'nosniff')
    assert.equal(shown['content-security-policy'], "sandbox; default-src 'none'; frame-ancestors 'none'")
    assert.equal(shown['cache-control'], 'private, no-cache')
    assert.equal(shown['content-disposition'], `inline; filename="logo.png"; filename*=UTF-8''logo.png`)
    assert.equal(shown['x-after-size'], '8x4')
  })

  test('the difference shows the changed pixels in red and counts them', async () => {
    const { bytes, headers } = await image({ path: 'assets/logo.png', view: 'difference' })
    const { width, height, at } = readPng(bytes)
    assert.deepEqual([width, height, headers.get('x-changed-pixels')], [8, 4, '4'])
    const [r = 0, g = 0, b = 0] = at(1, 1)
    assert.ok(r > 150 && g < 50 && b < 120, `${[r, g, b]}`)
    const same = at(5, 3)
    assert.ok(new Set(same.slice(0, 3)).size === 1 && (same[0] ?? 0) > 200, `${same}`)
  })

  test('the side-by-side view has both images', async () => {
    const { bytes, headers } = await image({ path: 'assets/logo.png', view: 'side' })
    const { width, height, at } = readPng(bytes)
    assert.deepEqual([width, height], [24, 4])
    assert.deepEqual(
      [at(0, 0), at(10, 0), at(16, 0), at(20, 3)],
      [
        [255, 0, 0, 255],
        [0, 0, 0, 0],
        [0, 0, 255, 255],
        [255, 0, 0, 255],
      ],
    )
    assert.deepEqual([headers.get('x-before-size'), headers.get('x-after-size')], ['8x4', '8x4'])
  })

  test('a caller that has the image gets 304 without a body', async () => {
    const { headers } = await image({ path: 'assets/logo.png', view: 'difference' })
    const query = { path: 'assets/logo.png', view: 'difference' }
    const again = await request(query, { 'if-none-match': headers.get('etag') ?? '' })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    const other = await request({ ...query, view: 'side' }, { 'if-none-match': headers.get('etag') ?? '' })
    assert.equal(other.status, 200)
  })
})

test('an added and a deleted image have one side, and the other one is refused', async () => {
  await write('old.gif', gif)
  await commit('old.gif')
  await rm(join(machine.repository, 'old.gif'))
  await write('new.gif', animatedGif)
  const gone = await image({ path: 'old.gif', view: 'difference' })
  assert.deepEqual([gone.headers.get('x-missing-side'), gone.headers.get('x-changed-pixels')], ['after', '32'])
  const added = await image({ path: 'new.gif', view: 'after' })
  assert.deepEqual(
    [added.bytes, added.headers.get('x-missing-side'), added.headers.get('x-animated')],
    [animatedGif, 'before', 'after'],
  )
  assert.deepEqual(await refused({ path: 'old.gif', view: 'after' }), [404, 'NOT_FOUND', 'ABSENT', 'after'])
  assert.deepEqual(await refused({ path: 'new.gif', view: 'before' }), [404, 'NOT_FOUND', 'ABSENT', 'before'])
})

test('images of different formats are compared, also of a renamed file, and a JPEG is turned by its orientation', async () => {
  await write('photo.jpg', redJpeg)
  await commit('photo.jpg')
  await rename(join(machine.repository, 'photo.jpg'), join(machine.repository, 'photo.webp'))
  await write('photo.webp', redWebp)
  const first = await image({ path: 'photo.webp', oldPath: 'photo.jpg', view: 'side' })
  assert.equal(readPng(first.bytes).width, 24)
  const { headers } = await image({ path: 'photo.webp', oldPath: 'photo.jpg', view: 'before' })
  assert.deepEqual([headers.get('content-type'), headers.get('x-before-size')], ['image/jpeg', '8x4'])
  await write('turned.jpg', orientJpeg(redJpeg, 6))
  const turned = await image({ path: 'turned.jpg', view: 'difference' })
  const { width, height } = readPng(turned.bytes)
  assert.deepEqual([width, height, turned.headers.get('x-after-size')], [4, 8, '4x8'])
})

test('two commits are compared independently of the files in the worktree', async () => {
  await write('two.png', plain)
  const base = await commit('two.png')
  await write('two.png', dot)
  const head = await commit('two.png')
  await write('two.png', 'no image any more')
  const { headers } = await image({ path: 'two.png', base, head, view: 'difference' })
  assert.equal(headers.get('x-changed-pixels'), '4')
  assert.deepEqual(await refused({ path: 'two.png', base, head: base }), [404, 'NOT_FOUND', 'UNCHANGED'])
})

describe('an image is refused', () => {
  test('if the worktree, file or commit does not exist, or the path, base or view is invalid', async () => {
    assert.deepEqual(await refused({ path: 'a.png' }, `wt_${'0'.repeat(26)}`), [404, 'NOT_FOUND'])
    assert.deepEqual(await refused({ path: 'no/such.png' }), [404, 'NOT_FOUND', 'ABSENT'])
    assert.deepEqual(await refused({ path: 'README.md', base: 'nobody' }), [
      ...[409, 'FAILED_PRECONDITION', 'COMMIT_NOT_FOUND'],
    ])
    for (const path of [
      '',
      '/etc/passwd',
      '../a.png',
      'a/../../b.png',
      '.git/config',
      'a/.GIT/b',
      'a\\b',
      'a//b',
      'a/',
    ])
      assert.deepEqual((await refused({ path })).slice(0, 2), [400, 'BAD_USER_INPUT'], path)
    assert.deepEqual((await refused({ path: 'a.png', base: '--output=x' })).slice(0, 2), [400, 'BAD_USER_INPUT'])
    assert.deepEqual((await refused({ path: 'a.png', view: 'all' })).slice(0, 2), [400, 'BAD_USER_INPUT'])
  })

  test('if it is not an image, or is an SVG, a pointer of Git LFS, a folder or a link', async () => {
    await write('text.png', 'a text')
    await write(
      'drawing.svg',
      '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    )
    await write('lfs.png', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n')
    await mkdir(join(machine.repository, 'folder.png/inner'), { recursive: true })
    await writeFile(join(stage.folder, 'secret.png'), dot)
    await symlink(join(stage.folder, 'secret.png'), join(machine.repository, 'link.png'))
    await symlink(stage.folder, join(machine.repository, 'elsewhere'))
    const reasons = [
      ['text.png', 'NOT_AN_IMAGE'],
      ['drawing.svg', 'SVG'],
      ['lfs.png', 'LFS_POINTER'],
      ['folder.png', 'NOT_A_FILE'],
      ['link.png', 'SYMLINK'],
      ['elsewhere/secret.png', 'SYMLINK'],
    ] as const
    for (const [path, reason] of reasons)
      assert.deepEqual(await refused({ path, view: 'after' }), [415, 'UNSUPPORTED_IMAGE', reason, 'after'], path)
  })

  test('if it is too large, in bytes or in pixels, or damaged', async () => {
    await write('bytes.png', Buffer.concat([plain, Buffer.alloc(maxBytes)]))
    assert.deepEqual(await refused({ path: 'bytes.png' }), [413, 'PAYLOAD_TOO_LARGE', 'BYTES', 'after'])
    await write('bomb.png', declarePng(60_000, 60_000, Buffer.alloc(10)))
    assert.deepEqual(await refused({ path: 'bomb.png' }), [413, 'PAYLOAD_TOO_LARGE', 'PIXELS', 'after'])
    await write('inflates.png', declarePng(4, 4, Buffer.alloc(100_000_000), true))
    assert.deepEqual(await refused({ path: 'inflates.png' }), [415, 'UNSUPPORTED_IMAGE', 'DAMAGED', 'after'])
    await write('cut.png', makePng(64, 64, (x, y) => [x * y, x, y]).subarray(0, 120))
    assert.deepEqual(await refused({ path: 'cut.png' }), [415, 'UNSUPPORTED_IMAGE', 'DAMAGED', 'after'])
  })

  test('if the request has no credential or the machine is not connected', async () => {
    const path = `/api/worktrees/${machine.worktree('main')}/diff-image?path=two.png&view=after`
    assert.equal((await fetch(`${stage.url}${path}`)).status, 401)
    await machine.stop()
    await until('the agent to be disconnected', async () => {
      const found = await refused({ path: 'logo.png' })
      return found[0] === 409 && found[2] === 'DISCONNECTED'
    })
    await machine.start()
  })
})
