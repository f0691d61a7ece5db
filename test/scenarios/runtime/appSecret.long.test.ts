/** A change of APP_SECRET: who stays signed in, and who has to sign in again; and what production asks of it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ada, rest } from '../../kit/program/accounts.ts'
import { connectBareAgent, enroll } from '../../kit/program/bareAgent.ts'
import type { Credential } from '../../kit/program/graphql.ts'
import { environmentOf } from '../../kit/program/program.ts'
import { asWhom, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

const newSecret = () => randomBytes(32).toString('base64')
const [first, second, third] = [newSecret(), newSecret(), newSecret()] as const

describe('when APP_SECRET changes', () => {
  let stage: TestProgram
  let agent: { agentId: string; credential: string }
  /** Created under the first secret, the second and the third. */
  let old: Credential
  let recent: Credential
  let latest: Credential

  before(async () => {
    stage = await startTestProgram({ env: { APP_SECRET: first } })
    agent = await enroll(stage, 'box')
    old = await signIn()
  })
  after(() => stage?.end())

  async function signIn(): Promise<Credential> {
    const { body, status } = await rest(stage.url, 'POST', '/api/auth/sign-in/email', { body: ada })
    assert.equal(status, 200, JSON.stringify(body))
    return { authorization: `Bearer ${body.token}` }
  }

  async function isIn(credential: Credential): Promise<boolean> {
    const { code } = await refusal(asWhom(stage.url, credential)('{ agents { id } }'))
    assert.ok(code === 'GRANTED' || code === 'UNAUTHENTICATED', code)
    return code === 'GRANTED'
  }

  /** Neither was made under a secret of the server's. */
  async function keysAndAgentsAreIn(): Promise<void> {
    assert.equal(await isIn({ 'X-API-Key': stage.key }), true)
    const connected = await connectBareAgent(stage, agent.credential)
    assert.equal(connected.agentId, agent.agentId)
    await connected.close()
  }

  test('all sessions stay valid if APP_SECRET_PREVIOUS is the former secret', async () => {
    assert.equal(await isIn(old), true)
    await stage.restart({ env: { APP_SECRET: second, APP_SECRET_PREVIOUS: first, OUTBOUND_ALLOW: 'mcp.internal' } })
    assert.equal(await isIn(old), true)
    recent = await signIn()
    assert.equal(await isIn(recent), true)
    await keysAndAgentsAreIn()
  })

  test('only the sessions since the change stay valid when APP_SECRET_PREVIOUS is removed', async () => {
    await stage.restart({ env: { APP_SECRET: second } })
    assert.deepEqual([await isIn(old), await isIn(recent)], [false, true])
    await keysAndAgentsAreIn()
  })

  test('all sessions end without APP_SECRET_PREVIOUS, users can sign in again, and API keys and agents stay valid', async () => {
    await stage.restart({ env: { APP_SECRET: third } })
    assert.deepEqual([await isIn(old), await isIn(recent)], [false, false])
    latest = await signIn()
    assert.equal(await isIn(latest), true)
    await keysAndAgentsAreIn()
  })

  test('a change back makes the sessions of the first secret valid again, and keeps those of APP_SECRET_PREVIOUS', async () => {
    await stage.restart({ env: { APP_SECRET: first, APP_SECRET_PREVIOUS: third } })
    assert.deepEqual([await isIn(old), await isIn(recent), await isIn(latest)], [true, false, true])
  })
})

describe('in production the program does not start', () => {
  const passphrase = 'correct horse battery staple hush-hush'
  const refused: readonly [words: string, env: Readonly<Record<string, string>>, says: RegExp][] = [
    ['without APP_SECRET', {}, /^APP_SECRET is missing and NODE_ENV is production: for example APP_SECRET=.*\.\n$/],
    ['with an empty APP_SECRET', { APP_SECRET: '' }, /^APP_SECRET is missing/],
    [
      'with a passphrase',
      { APP_SECRET: passphrase },
      /^APP_SECRET must be 32 random bytes .* never a passphrase .*\n$/,
    ],
    [
      'with a passphrase in base64',
      { APP_SECRET: Buffer.from(passphrase.slice(-32)).toString('base64') },
      /^APP_SECRET must be 32 random bytes/,
    ],
    [
      'with a passphrase as APP_SECRET_PREVIOUS',
      { APP_SECRET: first, APP_SECRET_PREVIOUS: passphrase },
      /^APP_SECRET_PREVIOUS must be 32 random bytes/,
    ],
    [
      'with the same secret as APP_SECRET_PREVIOUS',
      { APP_SECRET: first, APP_SECRET_PREVIOUS: Buffer.from(first, 'base64').toString('hex') },
      /^APP_SECRET_PREVIOUS is the same as APP_SECRET/,
    ],
  ]
  const root = resolve(import.meta.dirname, '../../..')
  for (const [words, env, says] of refused)
    test(words, () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', join(root, 'main.ts')], {
        cwd: root,
        encoding: 'utf8',
        env: { ...environmentOf('/nowhere/at/all', { main: 0, agent: 0 }), NODE_ENV: 'production', ...env },
      })
      assert.deepEqual([status, stdout], [1, ''])
      assert.match(stderr, says)
      for (const secret of [passphrase, 'hush', first]) assert.ok(!stderr.includes(secret), stderr)
    })
})
