/** The wall clock is set forward by an hour while a request is being answered: it has its ten seconds all the same. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../kit/runtime/systemClock.ts'
import { startTestGateway } from '../../kit/runtime/testGateway.ts'
import { operations } from '../../kit/runtime/testOperations.ts'

test('the time that a request has spent does not include a change of the wall clock', async (t) => {
  let aheadMs = 0
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
  const settingForward = operations.map((operation) =>
    operation.name === 'createThing' && operation.kind === 'mutation'
      ? {
          ...operation,
          translate: (...given: Parameters<typeof operation.translate>) => {
            aheadMs = 3_600_000
            return operation.translate(...given)
          },
        }
      : operation,
  )
  const world = await startTestGateway({ options: { clock, operations: settingForward } })
  t.after(() => world.stop())
  const asked = t.mock.method(world.system, 'ask')
  const { token } = await world.signIn()
  const { body } = await world.graphql(
    'mutation { createThing(input: { title: "late", idempotencyKey: "late" }) { thing { title } } }',
    {},
    { authorization: `Bearer ${token}` },
  )
  assert.deepEqual(body, { data: { createThing: { thing: { title: 'late' } } } })
  const options = asked.mock.calls.find(({ arguments: [{ to }] }) => to.kind === 'plan')?.arguments[2]
  assert.ok(options?.spentMs !== undefined && options.spentMs < 10_000, `the message has spentMs ${options?.spentMs}`)
})
