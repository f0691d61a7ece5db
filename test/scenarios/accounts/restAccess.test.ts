/** The credential matrix over REST: every declared route, called by everybody who can call. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { OutsidePrincipalKind } from '../../../spec/core/principal.ts'
import { verdict } from '../../../spec/core/principal.ts'
import type { RestRoute } from '../../../spec/rest/restRoute.ts'
import { restRoutes } from '../../../spec/rest/routes.ts'
import { startBareAgent } from '../../kit/program/bareAgent.ts'
import { type Everybody, everybody, session } from '../../kit/program/everybody.ts'
import type { Credential } from '../../kit/program/graphql.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram
let known: Everybody

before(async () => {
  const loose = { LIMIT_FAILED_LOOKUPS_PER_MINUTE: '10000', LIMIT_SIGN_UPS_PER_MINUTE: '10000' }
  stage = await startTestProgram({ env: loose })
  known = await everybody(stage, await startBareAgent(stage, 'bare'))
})
after(() => stage?.end())

interface Heard {
  readonly status: number
  readonly code: string | undefined
}

const codesOfHead: Readonly<Record<number, string>> = { 401: 'UNAUTHENTICATED', 403: 'FORBIDDEN' }

/** An invalid body is refused after the access check, and changes nothing. */
async function call({ method, path }: RestRoute, credential: Credential | undefined): Promise<Heard> {
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: 'unreadable' }
  const headers = { 'content-type': 'application/json', ...credential }
  const filled = path.replace(/\{\w+\}/g, 'nothing')
  const answer = await fetch(`${stage.url}${filled}`, { method, headers, redirect: 'manual', ...body })
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    // It has no end.
    await answer.body?.cancel()
    return { status: answer.status, code: undefined }
  }
  const text = await answer.text()
  // The answer to a HEAD has no body, so its status tells.
  if (method === 'HEAD') return { status: answer.status, code: codesOfHead[answer.status] }
  const { error } = (answer.status >= 400 ? JSON.parse(text) : {}) as { error?: { code: string } }
  return { status: answer.status, code: error?.code }
}

/** Those that take no body would end the session that the other cells need. */
const own = (route: RestRoute, kind: OutsidePrincipalKind) =>
  kind === 'user' && route.method !== 'GET' && !route.body ? session(stage) : known[kind]

const kinds: readonly OutsidePrincipalKind[] = ['user', 'apiKey', 'agent', 'run', 'enrollment', 'anonymous']

for (const route of restRoutes) {
  describe(`${route.method} ${route.path}`, () => {
    for (const kind of kinds) {
      const wanted = verdict(route.access, kind)
      test(`${kind}: ${wanted}`, async () => {
        const heard = await call(route, await own(route, kind))
        assert.ok(heard.status < 500, `${heard.status} ${heard.code}`)
        if (route.access === 'public') assert.deepEqual(heard, await call(route, undefined), 'as without a credential')
        else assert.equal(refusalOf(heard), underOneCode(route, wanted))
      })
    }
    if (route.access === 'public') return
    test('an invalid credential: UNAUTHENTICATED', async () => {
      const nobodys = { authorization: `Bearer ${'x'.repeat(43)}` }
      assert.equal(refusalOf(await call(route, nobodys)), underOneCode(route, 'UNAUTHENTICATED'))
    })
  })
}

const refusals = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'TOOL_API_UNAUTHORIZED'])

function refusalOf({ code = '' }: Heard): string {
  return refusals.has(code) ? code : 'allowed'
}

/** Some routes have one code for all who may not call them. */
function underOneCode({ credentialRefusal }: RestRoute, wanted: string): string {
  return wanted === 'allowed' ? wanted : (credentialRefusal ?? wanted)
}
