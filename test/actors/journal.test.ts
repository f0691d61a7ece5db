/** The journal entry of a transition. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { define } from '../../machines/framework/define.ts'
import { lamp, wall } from '../kit/runtime/lampAndWall.ts'
import { openLamps } from '../kit/runtime/lampSystem.ts'
import { refusal } from '../kit/runtime/testSystem.ts'

const secretive = define({ ...lamp, redact: { events: { rename: ['name'] }, context: ['name'] } })

test('the journal redacts the values that a machine declares as secret, and has all others', async () => {
  const world = openLamps({ definitions: [secretive, wall] })
  const ref = await world.newLamp()
  await world.send(ref, { type: 'rename', name: 'behind the mirror', why: 'it moved' })
  const step = (await world.history(ref)).at(-1)
  assert.deepEqual(step?.payload, { name: '[redacted]', why: 'it moved' })
  assert.deepEqual(step?.change, { name: '[redacted]' })
  assert.equal((await world.system.peek(ref))?.context.name, 'behind the mirror')
})

test('a journal entry has only the values that changed, the effects with their receivers, and the cause', async () => {
  const world = openLamps()
  const [ref, to] = [await world.newLamp(), await world.newWall()]
  const at = world.clock.now()
  await world.system.ask(
    { to: ref, event: { type: 'tell', to: to.id, word: 'hello' } },
    { cause: 'operator', reason: 'a try', principal: 'usr_1', requestId: 'r9', receivedAt: at },
  )
  const step = (await world.history(ref)).at(-1)
  assert.deepEqual(step?.change, {})
  assert.deepEqual(step?.effects, [{ id: `${ref.id}:2:0`, type: 'tell', to: to.id }])
  assert.deepEqual(
    [step?.cause, step?.principal, step?.requestId],
    [{ type: 'operator', reason: 'a try' }, 'usr_1', 'r9'],
  )
})

test('an effect that the machine did not declare is a defect, and nothing is written', async () => {
  const world = openLamps({ definitions: [define({ ...lamp, effects: [] }), wall] })
  const ref = await world.newLamp()
  assert.equal((await refusal(world.send(ref, { type: 'ring' }))).code, 'INTERNAL')
  assert.match(String(world.problems[0]), /undeclared effect: ring/)
  assert.equal((await world.history(ref)).length, 1)
})
