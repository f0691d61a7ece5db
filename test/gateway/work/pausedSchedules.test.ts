/** A paused schedule, an effect of which has failed. */
import { deepEqual } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway

before(async () => {
  world = await startTestGateway({ options: { operations, objectTypes } })
})
after(() => world.stop())

test('a paused schedule with an incident is still shown as paused', async () => {
  const caller = { authorization: `Bearer ${(await world.signIn()).token}` }
  const ref = { kind: 'schedule', id: world.newId('schedule') } as const
  const read = async () => {
    const query = 'query ($id: ID!) { schedule(id: $id) { status isPaused } }'
    return (await world.graphql(query, { id: ref.id }, caller)).body.data?.schedule
  }
  await world.ask(ref, { type: 'create' }, inits.schedule)
  deepEqual(await read(), { status: 'ACTIVE', isPaused: false })
  await world.ask(ref, { type: 'pause', pauseReason: null })
  await world.ask(ref, { type: 'effectFailed', effectId: `${ref.id}:2:0`, effect: 'notify', problem: 'down' })
  deepEqual(await read(), { status: 'INCIDENT', isPaused: true })
})
