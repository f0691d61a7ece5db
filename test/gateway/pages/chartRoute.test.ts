/** The layouts of statecharts over HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { compile } from '../../../actors/decide/logic.ts'
import { parseLayout } from '../../../clients/console/chart/layoutJson.ts'
import { openSite } from '../../../clients/console/site.ts'
import type { Definition } from '../../../machines/framework/define.ts'
import { machines } from '../../../machines/machines.ts'
import { locales } from '../../../spec/pages/locales.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
let cookie = ''
let hash = ''

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(world.url + path, { redirect: 'manual', headers: { cookie, ...headers } })

before(async () => {
  world = await startTestGateway({ options: { site: await openSite() } })
  const made = await fetch(`${world.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: 'correct horse' }),
  })
  cookie = made.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const { machine, source } = compile(machines.user as Definition)
  await world.storage.definitions.keep([{ kind: 'user', machine, definition: source }])
  hash = machine.hash
})
after(async () => await world?.stop())

const labelsOf = async (response: Response) => {
  const layout = parseLayout(await response.text())
  return layout.boxes.flatMap(({ texts }) => texts.map(({ text }) => text))
}

test('each form of a chart has all its states, and labels in the requested language', async () => {
  const seen = new Set<string>()
  for (const locale of locales)
    for (const form of ['right', 'down']) {
      const response = await get(`/charts/${locale}/${form}/USER/${hash}`)
      assert.equal(response.status, 200)
      seen.add((await labelsOf(response)).join())
    }
  assert.equal(seen.size, locales.length, [...seen].join('\n'))
  const right = parseLayout(await (await get(`/charts/en/right/USER/${hash}`)).text())
  const down = parseLayout(await (await get(`/charts/en/down/USER/${hash}`)).text())
  assert.ok(
    right.width > right.height && down.height > down.width,
    `${right.width} × ${right.height}, ${down.width} × ${down.height}`,
  )
  assert.ok((await labelsOf(await get(`/charts/en/picture/USER/${hash}`))).includes('ACTIVE'))
})

test('a browser that has the layout gets 304, and only the browser may cache it', async () => {
  const path = `/charts/en/right/USER/${hash}`
  const first = await get(path, { 'accept-encoding': 'br' })
  assert.equal(first.headers.get('cache-control'), 'private, no-cache')
  assert.equal(first.headers.get('content-encoding'), 'br')
  assert.match(first.headers.get('content-type') ?? '', /^application\/json/)
  const second = await get(path, { 'accept-encoding': 'br', 'if-none-match': first.headers.get('etag') ?? '' })
  assert.equal(second.status, 304)
})

test('a path that names no chart gets 404', async () => {
  for (const path of [
    `/charts/xx/right/USER/${hash}`,
    `/charts/en/left/USER/${hash}`,
    `/charts/en/right/user/${hash}`,
    `/charts/en/right/RUN/${hash}`,
    '/charts/en/right/USER/0000',
  ]) {
    const response = await get(path)
    assert.equal(response.status, 404, path)
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    assert.deepEqual([error.code, error.message], ['NOT_FOUND', `There is no chart at ${path}.`])
  }
})

test('only a signed-in user gets a layout', async () => {
  const path = `/charts/en/right/USER/${hash}`
  assert.equal((await fetch(world.url + path)).status, 401)
  assert.equal((await get(path, { cookie: '', 'x-api-key': 'key_wrong' })).status, 401)
})
