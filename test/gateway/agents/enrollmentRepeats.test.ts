/** Two requests with one enrollment token and one idempotency key at the same time: the answer to one of them was lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { System } from '../../../gateway/messages.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { agentOfEnrollment } from '../../../machines/agents/enrollment.ts'
import type { Principal } from '../../../spec/core/principal.ts'
import { asking } from '../../kit/runtime/asking.ts'
import { openSystem, refusal, type TestSystem } from '../../kit/runtime/testSystem.ts'

const input = {
  ...{ token: 'enroll_token', hostname: 'h', platform: 'linux', arch: 'x64', version: '0' },
  idempotencyKey: 'machine-1',
}

interface Enrolled {
  readonly agentId: string
  readonly credential: string
}

/** The system, except that so many requests read the agent before one of them goes on. */
function reachedAtOnce({ system }: TestSystem, count: number): System {
  let waiting = count
  const all = Promise.withResolvers<void>()
  const peek: System['peek'] = async (ref) => {
    const row = await system.peek(ref)
    if (--waiting <= 0) all.resolve()
    await all.promise
    return row
  }
  return new Proxy(system, {
    get: (target, name) => (name === 'peek' ? peek : Reflect.get(target, name).bind(target)),
  }) as unknown as System
}

async function openEnrollment(world: TestSystem) {
  const now = world.clock.now()
  const create = { tokenHash: 'hash', name: null, requestedBy: 'usr_1', createdAt: now, expiresAt: now + 60_000 }
  const { id: enrollmentId } = await world.make('enrollment', create)
  const principal = { kind: 'enrollment', enrollmentId } as const satisfies Principal
  const enroll = (system: System = world.system as unknown as System) =>
    asking({ system, clock: world.clock, views: withRowTypes(world.storage.views) }).ask<Enrolled>(
      'enrollAgent',
      input,
      principal,
    )
  const agent = { kind: 'agent', id: agentOfEnrollment(enrollmentId) } as const
  return { enroll, sequence: async () => (await world.system.peek(agent))?.seq }
}

async function sendTwo(world: TestSystem, enroll: (system: System) => Promise<Enrolled>): Promise<void> {
  const together = reachedAtOnce(world, 2)
  const results = await Promise.allSettled([enroll(together), enroll(together)])
  const [made, ...others] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  assert.match(made?.credential ?? '', /^agent_/)
  assert.deepEqual(others, [])
  const refused = results.find((result) => result.status === 'rejected')
  const { code, retryable } = await refusal(Promise.reject(refused?.reason))
  assert.deepEqual({ code, retryable }, { code: 'UNAVAILABLE', retryable: true })
}

test('the second request is refused so that the agent repeats it, and the credential of the first one stays', async (t) => {
  const world = openSystem()
  t.after(() => world.stop())
  const { enroll, sequence } = await openEnrollment(world)
  await sendTwo(world, enroll)
  assert.equal(await sequence(), 1, 'the agent was created, and its credential was not replaced')
  const again = await enroll()
  assert.match(again.credential, /^agent_/)
})

test('if the agent exists already, the second request is refused too, and the credential is replaced once', async (t) => {
  const world = openSystem()
  t.after(() => world.stop())
  const { enroll, sequence } = await openEnrollment(world)
  await enroll()
  await sendTwo(world, enroll)
  assert.equal(await sequence(), 2, 'its credential was replaced once')
})
