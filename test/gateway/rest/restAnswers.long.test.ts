/** The responses over real HTTP are those of the OpenAPI document, for every status and code of every operation. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openApiDocument } from '../../../gateway/rest/openapi/document.ts'
import { restRoutes } from '../../../spec/rest/routes.ts'
import { bearer, type Heard, type Sent } from './cases/call.ts'
import type { Cases } from './cases/caseForm.ts'
import { cases } from './cases/cases.ts'
import { Promises } from './cases/document.ts'
import { standing } from './cases/standing.ts'
import { TroubledGateways } from './cases/troubledGateways.ts'

// The served document is compared with this one below.
const document = openApiDocument(restRoutes, 'http://localhost')
const promises = new Promises(JSON.parse(JSON.stringify(document)))
let stage: TroubledGateways

before(async () => {
  stage = await TroubledGateways.open()
})
after(() => stage.close())

const codeOf = ({ body }: Heard): string | undefined => (body as { error?: { code: string } } | null)?.error?.code

/** Asserts that the document has the response, with its code, its headers and the form of its body. */
function keptPromise({ route }: Cases, heard: Heard): void {
  const { name, path, method } = route
  const promised = promises.of(name).get(heard.status)
  assert.ok(promised, `${name} answered ${heard.status}, which is not documented: ${JSON.stringify(heard.body)}`)
  const code = codeOf(heard)
  // The answer to HEAD has no body, and so no code.
  if (heard.status >= 400 && method !== 'HEAD')
    assert.ok(promised.codes.includes(code ?? ''), `${name}: ${code} at ${heard.status}`)
  assert.equal(promised.problem(heard.body), undefined, `${name} ${heard.status}: ${JSON.stringify(heard.body)}`)
  for (const header of promised.headers) assert.ok(heard.headers.get(header), `${name} ${heard.status}: no ${header}`)
  if (heard.body !== undefined) {
    const [type = ''] = (heard.headers.get('content-type') ?? '').split(';')
    const isPromised = promised.types.some((one) => one === type || one === '*/*')
    assert.ok(isPromised, `${name} ${heard.status}: a body of ${type}`)
  }
  const top = (heard.body as { code?: string } | null)?.code
  if (heard.status >= 400 && method !== 'HEAD') assert.equal(top, path.startsWith('/api/auth/') ? code : undefined)
}

const isHeard = (one: Sent | Heard): one is Heard => 'status' in one

for (const one of cases) {
  const { route, right, own = {} } = one
  describe(`${route.method} ${route.path}`, () => {
    const documented = [...promises.of(route.name).values()].flatMap(({ status, codes }) =>
      status < 400 ? [String(status)] : codes.map((code) => `${status} ${code}`),
    )
    for (const answer of documented.filter((answer) => own[answer] === undefined)) {
      test(answer, async () => {
        const proof = standing[answer]
        const sent = await right(stage)
        assert.ok(proof ?? Number(answer) < 400, `no case leads to ${answer}: add one to cases.ts`)
        const heard = await (proof ? proof(stage, route, sent) : stage.call(route, sent))
        assert.equal(heard.status >= 400 ? `${heard.status} ${codeOf(heard)}` : String(heard.status), answer)
        keptPromise(one, heard)
      })
    }
    for (const [answer, lead] of Object.entries(own)) {
      test(answer, async () => {
        const given = await lead(stage)
        const heard = isHeard(given) ? given : await stage.call(route, given)
        const [status, code] = answer.split(' ')
        assert.equal(String(heard.status), status, JSON.stringify(heard.body))
        if (heard.status >= 400 && route.method !== 'HEAD') assert.equal(codeOf(heard), code)
        keptPromise(one, heard)
      })
    }
  })
}

test('every operation has its cases', () => {
  assert.deepEqual(cases.map(({ route }) => route.name).sort(), [...promises.operations].sort())
})

test('every response is documented, whatever the caller and the request', async () => {
  const person = await stage.person()
  const { world } = stage
  const callers: Record<string, Record<string, string>> = {
    nobody: {},
    session: bearer(person.token),
    cookie: { cookie: `signalbox=${person.token}`, origin: world.url },
    'API key': { 'x-api-key': (await world.apiKey(person.userId)).token },
    agent: bearer((await world.agent()).token),
    enrollment: bearer((await world.enrollment()).token),
    'two at once': { ...bearer(person.token), 'x-api-key': 'svc_x' },
    'a dead cookie': { cookie: 'signalbox=dead', origin: world.url },
    'another scheme': { authorization: 'Basic YTpi' },
  }
  const bodies: readonly unknown[] = [undefined, '', '{', '[]', 'null', '{"email":{},"keyId":7,"open":"yes"}', '\u0000']
  const queries = ['', '?', '?path', '?path=%00', '?branches=maybe', '?path=/src&path=/other', '?%ff=%zz', '?limit=x']
  for (const one of cases) {
    // They would end the session of the other callers.
    if (['signOut', 'revokeSessions'].includes(one.route.name)) continue
    for (const headers of Object.values(callers)) {
      if (one.route.method === 'GET' || one.route.method === 'HEAD')
        for (const query of queries) keptPromise(one, await stage.call(one.route, { query, headers }))
      else for (const body of bodies) keptPromise(one, await stage.call(one.route, { body, headers }))
    }
  }
})

test('the served document is the declared one, with the origin of the request', async () => {
  const response = await fetch(`${stage.world.url}/api/openapi.json`)
  assert.equal(response.headers.get('cache-control'), 'public, max-age=300')
  const served = await response.json()
  assert.deepEqual(served, { ...JSON.parse(JSON.stringify(document)), servers: [{ url: stage.world.url }] })
})
