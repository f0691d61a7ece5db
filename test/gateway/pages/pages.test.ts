/** The pages over HTTP: headers, languages, redirects, refusals, and the files that they load. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openSite } from '../../../clients/console/site.ts'
import { registrationId } from '../../../spec/core/ids.ts'
import { locales } from '../../../spec/pages/locales.ts'
import type { Site } from '../../../spec/pages/site.ts'
import { raw } from '../../kit/program/raw.ts'
import { newToken, startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let site: Site
let empty: TestGateway
let world: TestGateway
let session: Record<string, string>

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (path: string, headers: Record<string, string> = {}, from: TestGateway = world) =>
  fetch(from.url + path, { redirect: 'manual', headers: { ...html, ...headers } })

/** Sends a request whose `accept` headers are exactly the given ones. */
async function plain(path: string, headers: Record<string, string> = {}): Promise<string> {
  const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers })
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const { head, body } = await raw(world.gateway.port, [`GET ${path} HTTP/1.1\r\n${text}\r\n`])
  return `${head}\r\n\r\n${body}`
}

before(async () => {
  site = await openSite()
  empty = await startTestGateway({ options: { site } })
  world = await startTestGateway({ options: { site } })
  const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' }
  const made = await fetch(`${world.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
  session = { cookie: made.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
})
after(async () => {
  await empty?.stop()
  await world?.stop()
})

describe('a page', () => {
  test('runs only files of the server, cannot be in a frame, and is not stored', async () => {
    for (const path of ['/sign-in', '/de/register', '/ja/sign-in?error=access_denied', '/nowhere']) {
      const { headers } = await get(path)
      const policy = headers.get('content-security-policy') ?? ''
      for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
        assert.ok(policy.split('; ').includes(rule), `${path}: ${policy}`)
      assert.doesNotMatch(policy, /unsafe|http|\*/)
      assert.deepEqual(
        ['cache-control', 'x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy'].map((name) =>
          headers.get(name),
        ),
        ['no-store', 'nosniff', 'no-referrer', 'same-origin'],
      )
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    }
  })

  test('of the console can use the windows that it opens, and has all other protections of pages', async () => {
    const guards = (headers: Headers) =>
      [
        'cache-control',
        'content-security-policy',
        'permissions-policy',
        'referrer-policy',
        'x-content-type-options',
      ].map((name) => headers.get(name))
    const [own, gate] = [await get('/', session), await get('/sign-in')]
    assert.equal(own.status, 200)
    assert.equal(own.headers.get('cross-origin-opener-policy'), 'same-origin-allow-popups')
    assert.deepEqual(guards(own.headers), guards(gate.headers))
  })

  test('has no inline script or style', async () => {
    for (const path of ['/sign-in', '/register', '/nowhere']) {
      const text = await (await get(path)).text()
      assert.doesNotMatch(text, /\sstyle=|\son\w+=|<style|javascript:/)
      const scripts = [...text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)
      assert.ok(scripts.every((one) => /src="\/assets\/|type="application\/json"/.test(one ?? '')))
    }
  })

  test('responds to HEAD as to GET, without the body', async () => {
    const head = await fetch(`${world.url}/sign-in`, { method: 'HEAD' })
    const page = await get('/sign-in')
    assert.equal(head.status, 200)
    assert.equal(Number(head.headers.get('content-length')), Buffer.byteLength(await page.text()))
    assert.equal(head.headers.get('content-security-policy'), page.headers.get('content-security-policy'))
    assert.equal(await head.text(), '')
  })

  test('refuses other methods with 405 and the REST envelope', async () => {
    const response = await fetch(`${world.url}/sign-in`, { method: 'POST', body: 'password=secret' })
    assert.equal(response.status, 405)
    assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS')
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  })

  test('shows no text from its URL', async () => {
    const nasty = '"><script>alert(1)</script>'
    const path = `/sign-in?error=${encodeURIComponent(nasty)}&error_description=call+me&redirect=${encodeURIComponent(`/x${nasty}`)}`
    const text = await (await get(path)).text()
    assert.ok(!text.includes('<script>alert') && !text.includes('call me'))
    assert.match(text, /The sign-in failed/)
  })

  test('shows a name as it is, and never as markup', async () => {
    const { userId, token } = await world.signIn()
    const name = '<img src=x onerror="alert(1)">'
    await world.ask({ kind: 'user', id: userId }, { type: 'rename', name })
    const text = await (await get('/', { cookie: `signalbox=${token}` })).text()
    assert.ok(text.includes('"name":"\\u003cimg src=x onerror='))
    assert.ok(!text.includes('<img src=x'))
  })
})

describe('languages', () => {
  const langOf = async (response: Response) => /<html lang="(\w+)"/.exec(await response.text())?.[1]

  for (const locale of locales)
    test(`/${locale}/sign-in is in ${locale}, whatever the browser prefers`, async () => {
      const response = await get(`/${locale}/sign-in`, { 'accept-language': locale === 'de' ? 'fr' : 'de' })
      assert.deepEqual(
        [response.headers.get('content-language'), response.headers.get('vary'), await langOf(response)],
        [locale, null, locale],
      )
    })

  const preferences: readonly (readonly [header: string | undefined, locale: string])[] = [
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-AT,en;q=0.8', 'de'],
    ['pt-BR,pt;q=0.9,es;q=0.5,en;q=0.1', 'es'],
    ['en;q=0.3, ja;q=0.9', 'ja'],
    ['FR-ca', 'fr'],
    ['fr;q=0, de;q=0.1', 'de'],
    ['zh,*;q=0.5', 'en'],
    ['*, de', 'en'],
    ['den', 'en'],
    ['de;q=nonsense', 'en'],
    [`${'xx,'.repeat(500)}de`, 'en'],
  ]
  for (const [header, locale] of preferences)
    test(`Accept-Language ${header?.slice(0, 40) ?? 'not sent'} → ${locale}`, async () => {
      // fetch would send one of its own.
      const answer = await plain('/sign-in', header === undefined ? {} : { 'accept-language': header })
      assert.match(answer, new RegExp(`content-language: ${locale}\r\n`, 'i'))
      assert.match(answer, /vary: Accept-Language, Cookie\r\n/i)
    })

  test('a link to another language keeps the page and its redirect target', async () => {
    const text = await (await get('/sign-in?redirect=%2Fde%3Fa%3D1')).text()
    assert.ok(text.includes('href="/ja/sign-in?redirect=%2Fde%3Fa%3D1"'))
  })

  test('a path with an unknown language gets 404', async () => {
    assert.equal((await get('/it/sign-in')).status, 404)
  })
})

describe('redirects', () => {
  const to = async (path: string, headers: Record<string, string> = {}, from: TestGateway = world) => {
    const response = await get(path, headers, from)
    return [response.status, response.headers.get('location')]
  }

  test('on an empty database each visitor is redirected to the registration', async () => {
    assert.deepEqual(await to('/', {}, empty), [302, '/sign-in'])
    assert.deepEqual(await to('/sign-in', {}, empty), [302, '/register'])
    assert.deepEqual(await to('/fr/sign-in?redirect=%2Ffr', {}, empty), [302, '/fr/register?redirect=%2Ffr'])
    assert.equal((await get('/register', {}, empty)).status, 200)
    assert.match(await (await get('/register', {}, empty)).text(), /Create the first account/)
  })

  test('if an account exists, the registration page shows that registration is closed', async () => {
    const closed = await (await get('/register?redirect=%2Fde')).text()
    assert.match(closed, /Registration is closed/)
    assert.match(closed, /href="\/sign-in\?redirect=%2Fde"/)
    assert.doesNotMatch(closed, /<form/)
    assert.doesNotMatch(await (await get('/sign-in')).text(), /href="\/register/)
  })

  test('after a user opens registration, the pages of registration and sign-in show it', async () => {
    const registration = { kind: 'registration', id: registrationId } as const
    await world.ask(registration, { type: 'open' })
    assert.match(
      await (await get('/register')).text(),
      /<form[\s\S]*Registration is open|Registration is open[\s\S]*<form/,
    )
    assert.match(await (await get('/de/sign-in')).text(), /href="\/de\/register"/)
    await world.ask(registration, { type: 'close' })
  })

  test('a visitor without a session is redirected to the sign-in, in the language of the path', async () => {
    assert.deepEqual(await to('/'), [302, '/sign-in'])
    assert.deepEqual(await to('/ja'), [302, '/ja/sign-in'])
  })

  const targets: readonly (readonly [redirect: string, target: string])[] = [
    ['/api/graphql', '/api/graphql'],
    ['/de?a=1&b=%2F#part', '/de?a=1&b=%2F#part'],
    ['/caf\u00e9 au lait', '/caf%C3%A9%20au%20lait'],
    ['', '/'],
    ['de', '/'],
    ['//evil.example', '/'],
    ['//evil.example/%2e%2e', '/'],
    ['///evil.example', '/'],
    ['/\\evil.example', '/'],
    ['\\\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/\n/evil.example', '/'],
    ['\t//evil.example', '/'],
    [' //evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/..//evil.example', '/'],
    ['/a/..//evil.example', '/'],
    ['/%2e//evil.example', '/'],
    ['/./\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['https:evil.example', '/'],
    ['https:/evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['data:text/html,x', '/'],
    ['/\r\nset-cookie: x=y', '/set-cookie:%20x=y'],
    [`/${'x'.repeat(697)}`, `/${'x'.repeat(697)}`],
    [`/${'x'.repeat(698)}`, '/'],
    [`/?${'&'.repeat(300)}`, '/'],
    ['/@evil.example', '/@evil.example'],
    ['/%5Cevil.example', '/%5Cevil.example'],
    ['/%2F/evil.example', '/%2F/evil.example'],
  ]
  for (const [redirect, target] of targets)
    test(`redirect=${JSON.stringify(redirect.slice(0, 40))} leads to ${target.slice(0, 40)}`, async () => {
      const path = `/sign-in?redirect=${encodeURIComponent(redirect)}`
      assert.deepEqual(await to(path, session), [302, target])
      const page = await (await get(path)).text()
      const data = JSON.parse(/id="page-data">([^<]*)</.exec(page)?.[1] ?? '{}') as { target?: string }
      assert.equal(data.target, target, 'the target in the data for the script')
      const { origin } = new URL(data.target ?? '', world.url)
      assert.equal(origin, new URL(world.url).origin)
    })
})

describe('credentials', () => {
  test('an invalid cookie counts as absent and is cleared', async () => {
    const response = await get('/sign-in', { cookie: 'signalbox=dead' })
    assert.equal(response.status, 200)
    assert.match(response.headers.getSetCookie().join(), /^signalbox=; .*Max-Age=0/)
    const home = await get('/', { cookie: 'signalbox=dead' })
    assert.deepEqual([home.status, home.headers.get('location')], [302, '/sign-in'])
    assert.match(home.headers.getSetCookie().join(), /^signalbox=; /)
  })

  test('a page with a valid cookie shows its user, and not the cookie', async () => {
    const text = await (await get('/', session)).text()
    assert.match(text, /"name":"Ada"/)
    assert.match(text, /ada@example\.com/)
    assert.doesNotMatch(text, new RegExp(session.cookie?.split('=')[1] ?? 'none'))
  })

  test('an API key or an agent gets 403 for a page', async () => {
    const { userId } = await world.signIn()
    const key = await world.apiKey(userId)
    const agent = await world.agent()
    const forKey = await fetch(`${world.url}/sign-in`, { headers: { 'x-api-key': key.token } })
    const forAgent = await fetch(`${world.url}/`, { headers: { authorization: `Bearer ${agent.token}` } })
    assert.deepEqual([forKey.status, forAgent.status], [403, 403])
  })
})

describe('refusals', () => {
  test('an unknown path gets an error page with 404 in the language of the browser', async () => {
    const response = await get('/nowhere', { 'accept-language': 'de', 'x-request-id': 'lost-1' })
    assert.equal(response.status, 404)
    const text = await response.text()
    assert.match(text, /<html lang="de">/)
    assert.match(text, /Hier ist keine Seite/)
    assert.match(text, /lost-1/)
  })

  test('programs, and unknown paths of the API and of files, get the REST envelope', async () => {
    const paths: readonly (readonly [string, Record<string, string>])[] = [
      ['/nowhere', { accept: '*/*' }],
      ['/nowhere', { accept: 'application/json' }],
      ['/api/nowhere', {}],
      ['/graphql/nowhere', {}],
      ['/assets/nowhere.js', {}],
    ]
    for (const [path, headers] of paths) {
      const response = await get(path, headers)
      assert.equal(response.status, 404)
      assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'NOT_FOUND', path)
    }
  })

  test('while the database is unavailable the page shows it, keeps the cookie, and works again afterwards', async () => {
    world.away = true
    try {
      const defect = await get('/de/sign-in')
      assert.equal(defect.status, 500)
      assert.match(await defect.text(), /<html lang="de">[\s\S]*Das hat nicht geklappt/)
      const away = await get('/de', { cookie: `signalbox=${newToken()}` })
      assert.deepEqual([away.status, away.headers.get('retry-after'), away.headers.getSetCookie()], [503, '1', []])
      assert.match(await away.text(), /<html lang="de">[\s\S]*Gerade nicht/)
    } finally {
      world.away = false
    }
    assert.equal((await get('/de', session)).status, 200)
  })

  test('a gateway without a site has no pages', async () => {
    const bare = await startTestGateway()
    try {
      assert.equal((await get('/sign-in', {}, bare)).status, 404)
    } finally {
      await bare.stop()
    }
  })
})

describe('files', () => {
  const load = (path: string, headers: Record<string, string> = {}) => plain(path, headers)

  test('that the pages name exist, and can be cached permanently', async () => {
    const text = await (await get('/sign-in')).text()
    const paths = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    assert.ok(new Set(paths).size >= 3)
    for (const path of paths) {
      const response = await fetch(world.url + path)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.match(response.headers.get('content-type') ?? '', /^(text\/javascript|text\/css|image\/svg\+xml)/)
      assert.deepEqual(response.headers.getSetCookie(), [])
    }
  })

  test('are compressed if the browser accepts it, and each form has its own ETag', async () => {
    const [path = '', asset] = [...site.assets].find(([name]) => name.endsWith('.css')) ?? []
    const wanted: readonly (readonly [accept: string, encoding: string | null])[] = [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['br;q=0.0, gzip;q=0', null],
      ['identity', null],
      ['', null],
      ['brotli', null],
    ]
    const tags = new Set<string>()
    for (const [accept, encoding] of wanted) {
      const response = await load(path, { 'accept-encoding': accept })
      assert.equal(/content-encoding: (\w+)/i.exec(response)?.[1] ?? null, encoding, accept)
      assert.match(response, /vary: Accept-Encoding/i)
      tags.add(/etag: (\S+)/i.exec(response)?.[1] ?? '')
    }
    assert.equal(tags.size, 3)
    const { br, gzip } = asset?.compressed ?? {}
    assert.ok(br && gzip)
    assert.deepEqual(brotliDecompressSync(await br()), Buffer.from(asset?.bytes ?? []))
    assert.deepEqual(gunzipSync(await gzip()), Buffer.from(asset?.bytes ?? []))
    for (const tag of tags) {
      const accept = /\.(br|gzip)"$/.exec(tag)?.[1] ?? 'identity'
      const again = await load(path, { 'accept-encoding': accept, 'if-none-match': `"x", W/${tag}` })
      assert.match(again, /^HTTP\/1\.1 304 /)
    }
    assert.match(await load(path, { 'if-none-match': '"x"' }), /^HTTP\/1\.1 200 /)
  })

  test('need no credential, and ignore an invalid one', async () => {
    const [path = ''] = site.assets.keys()
    const response = await fetch(world.url + path, { headers: { 'x-api-key': 'svc_dead', cookie: 'signalbox=dead' } })
    assert.equal(response.status, 200)
  })
})
