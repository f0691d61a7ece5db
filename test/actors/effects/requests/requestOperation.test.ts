/** The outcome of an operation that an actor requests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OperationRequest, requestOperation } from '../../../../actors/effects/requestOperation.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { kindOfId } from '../../../../spec/core/ids.ts'

const actor = { kind: 'run', id: 'run_01h455vb4pex5vsknk084sn02q' } as const
const at = Date.UTC(2026, 0, 1)
const params = { operation: 'startWorkflow', input: { workflowId: 'wfl_1' }, request: { step: 2 }, at }
const effect = (more: object = {}) => ({
  ...{ id: `${actor.id}:7:0`, actor, params: { ...params, ...more } },
  interruptions: 0,
})

function answering(answer: () => Promise<Record<string, never>>) {
  const requests: OperationRequest[] = []
  const handler = requestOperation({
    requestOperation: (request) => {
      requests.push(request)
      return answer()
    },
  })
  return { requests, handler }
}
const granted = async () => ({ run: { id: 'run_2' } }) as never

test('the answer is returned with the value that identifies its request', async () => {
  const { handler, requests } = answering(granted)
  assert.deepEqual(await handler(effect()), {
    type: 'requestAnswered',
    request: { step: 2 },
    answer: { run: { id: 'run_2' } },
  })
  const [{ key, principalId, operation, input }] = requests as [OperationRequest]
  assert.deepEqual([key, principalId, operation, input], [effect().id, actor.id, 'startWorkflow', params.input])
})

test('an actor can request an operation for another one', async () => {
  const { handler, requests } = answering(granted)
  await handler(effect({ as: 'run_01h455vb4pex5vsknk084sn02r' }))
  assert.equal(requests[0]?.principalId, 'run_01h455vb4pex5vsknk084sn02r')
})

test('a final refusal is an answer', async () => {
  const { handler } = answering(() => Promise.reject(new Failure('FAILED_PRECONDITION', 'The worktree is gone.')))
  const refused = { request: { step: 2 }, code: 'FAILED_PRECONDITION', message: 'The worktree is gone.' }
  assert.deepEqual(await handler(effect()), { type: 'requestRefused', ...refused })
})

for (const error of [new Failure('UNAVAILABLE', 'down'), new Failure('INTERNAL', 'a defect'), new Error('a defect')])
  test(`${error instanceof Failure ? error.code : 'an unexpected error'} is no answer, so that the effect is repeated`, async () => {
    const { handler } = answering(() => Promise.reject(error))
    await assert.rejects(handler(effect()), error)
  })

test('the IDs of new actors are the same at each attempt, and all differ from each other', async () => {
  const { handler, requests } = answering(granted)
  await handler(effect())
  await handler(effect())
  await handler({ ...effect(), id: `${actor.id}:8:0` })
  const idsOf = ({ newId }: OperationRequest) => [newId('run', 0), newId('run', 1), newId('session', 0)]
  const [first = [], repeat, other = []] = requests.map(idsOf)
  assert.deepEqual(repeat, first)
  assert.equal(new Set([...first, ...other].map((id) => id.slice(4))).size, 6)
  assert.deepEqual(first.map(kindOfId), ['run', 'run', 'session'])
})
