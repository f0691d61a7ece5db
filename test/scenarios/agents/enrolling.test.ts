/** The only mutation without a credential: `enrollAgent` succeeds exactly once with a valid token. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codeOf, connect, subscribe } from '../../kit/program/socket.ts'
import { asWhom, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram

before(async () => {
  stage = await startTestProgram({ env: { LIMIT_FAILED_LOOKUPS_PER_MINUTE: '1000' } })
})
after(() => stage?.end())

const facts = { hostname: 'h', platform: 'linux', arch: 'x64', version: '0' }

async function newToken(): Promise<string> {
  const { createEnrollmentToken } = await stage.ask<{ createEnrollmentToken: { token: string } }>(
    'mutation { createEnrollmentToken(input: {}) { token } }',
  )
  return createEnrollmentToken.token
}

const enrolling = 'mutation ($input: EnrollAgentInput!) { enrollAgent(input: $input) { agentId credential } }'

/** The refusal of a heartbeat with a credential: STALE_EPOCH if the credential is valid. */
async function codeOfHeartbeat(token: string): Promise<string | undefined> {
  const beat = 'mutation { agentHeartbeat(input: { epoch: 9, load: 0, freeMemoryBytes: 0, jobs: [] }) { serverTime } }'
  return (await refusal(asWhom(stage.url, { authorization: `Bearer ${token}` })(beat))).code
}

test('over HTTP, a request without a credential must be exactly one enrollAgent with a valid token', async () => {
  const ask = asWhom(stage.url, undefined)
  const token = await newToken()
  const input = { token, ...facts }
  const field = `enrollAgent(input: { token: "${token}", hostname: "h", platform: "linux", arch: "x64", version: "0" })`
  const never = [
    [`mutation { mine: ${field} { agentId } }`, {}],
    [`mutation { ${field} { agentId } again: ${field} { agentId } }`, {}],
    [`mutation { ${field} { id: agentId } }`, {}],
    [`mutation { ${field} @include(if: true) { agentId } }`, {}],
    [`mutation { ${field} { ...F } } fragment F on EnrollAgentPayload { agentId }`, {}],
    [`mutation { ${field} { ... on EnrollAgentPayload { agentId } } }`, {}],
    [`mutation A { ${field} { agentId } } query B { health }`, {}],
    [`query { health } # ${token}`, {}],
    [`{ __schema { types { name } } } # ${token}`, {}],
    [enrolling, { input: { ...input, token: 'enroll_not_a_token_at_all_0000000' } }],
    [enrolling, { input: { ...input, name: token } }],
    [enrolling, { input, padding: 'x'.repeat(17_000) }],
    [enrolling, {}],
    ['{ health }', {}],
  ] as const
  for (const [query, variables] of never)
    assert.equal((await refusal(ask(query, variables))).code, 'UNAUTHENTICATED', query.slice(0, 80))
  const made = await ask<{ enrollAgent: { agentId: string; credential: string } }>(enrolling, { input })
  assert.match(made.enrollAgent.credential, /^agent_/)
  const other = await refusal(ask(enrolling, { input }))
  assert.ok(
    ['FAILED_PRECONDITION', 'CONFLICT'].includes(other.code ?? ''),
    `the token is used: ${other.code} ${other.message}`,
  )
})

test('a token that an operator has revoked cannot enroll a machine', async () => {
  const { createEnrollmentToken: made } = await stage.ask<{
    createEnrollmentToken: { token: string; enrollmentId: string }
  }>('mutation { createEnrollmentToken(input: {}) { token enrollmentId } }')
  const { actors } = await stage.ask<{ actors: { nodes: { id: string; sequence: number }[] } }>(
    '{ actors(kind: ENROLLMENT, first: 50) { nodes { id sequence } } }',
  )
  const found = actors.nodes.find(({ id }) => id === made.enrollmentId)
  assert.ok(found, 'the token is in the list of its kind')
  const input = {
    id: found.id,
    action: { sendEvent: { event: 'revoke' } },
    expectedSequence: found.sequence,
    reason: 'It was in a log.',
  }
  const performed = await stage.ask<{ performOperatorAction: { actor: { status: string } } }>(
    'mutation ($input: PerformOperatorActionInput!) { performOperatorAction(input: $input) { actor { status } } }',
    { input },
  )
  assert.equal(performed.performOperatorAction.actor.status, 'REVOKED')
  const ask = asWhom(stage.url, undefined)
  const { code } = await refusal(ask(enrolling, { input: { token: made.token, ...facts } }))
  assert.equal(code, 'UNAUTHENTICATED')
})

test('a repeat with the same key returns the same agent with a new credential, and the former credential ends', async () => {
  const ask = asWhom(stage.url, undefined)
  const input = { token: await newToken(), ...facts, idempotencyKey: 'machine-1' }
  const one = await ask<{ enrollAgent: { agentId: string; credential: string } }>(enrolling, { input })
  const two = await ask<{ enrollAgent: { agentId: string; credential: string } }>(enrolling, { input })
  assert.equal(two.enrollAgent.agentId, one.enrollAgent.agentId)
  assert.notEqual(two.enrollAgent.credential, one.enrollAgent.credential)
  assert.equal(await codeOfHeartbeat(one.enrollAgent.credential), 'UNAUTHENTICATED', 'the former credential has ended')
  assert.equal(await codeOfHeartbeat(two.enrollAgent.credential), 'STALE_EPOCH', 'the new one is valid')
})

test('concurrent repeats succeed or fail with UNAVAILABLE, and exactly one credential is valid afterwards', async () => {
  const ask = asWhom(stage.url, undefined)
  const input = { token: await newToken(), ...facts, idempotencyKey: 'machine-2' }
  // The first round creates the agent, the second one replaces its credential.
  for (const round of ['create', 'replace']) {
    const repeats = Array.from({ length: 6 }, () => ask<{ enrollAgent: { credential: string } }>(enrolling, { input }))
    const results = await Promise.allSettled(repeats)
    const refused = results.filter((result) => result.status === 'rejected')
    const credentials = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value.enrollAgent.credential] : [],
    )
    for (const { reason } of refused) assert.equal((await refusal(Promise.reject(reason))).code, 'UNAVAILABLE', round)
    const codes = await Promise.all(credentials.map((token) => codeOfHeartbeat(token)))
    assert.deepEqual(
      codes.filter((code) => code !== 'UNAUTHENTICATED'),
      ['STALE_EPOCH'],
      round,
    )
  }
})

test('over a WebSocket without a credential, enrollAgent succeeds, and every other operation is refused', async () => {
  const token = await newToken()
  const input = { token, ...facts }
  const client = connect(stage.url, {}, { lazyCloseTimeout: 0 })
  const enrolled = subscribe<{ agentId: string }>(client, enrolling, { input })
  const made = await enrolled.first('the credential', () => true)
  assert.match(made.agentId, /^agt_/)
  await client.dispose()
  for (const query of [
    '{ health }',
    'subscription { agentStatusChanged { id } }',
    `mutation { a: enrollAgent(input: { token: "${token}", hostname: "h", platform: "l", arch: "x", version: "0" }) { agentId } }`,
  ]) {
    const guest = connect(stage.url, {}, { lazyCloseTimeout: 0 })
    const refused = subscribe<unknown>(guest, query, {})
    const ending = codeOf(await refused.over())
    assert.ok(['4401', 'UNAUTHENTICATED'].includes(ending), `${query.slice(0, 60)}: ${ending}`)
    await guest.dispose()
  }
})
