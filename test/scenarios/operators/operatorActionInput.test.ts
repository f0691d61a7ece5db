/** Operator actions that are refused for their input, and the events that require IDs. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { siblingId } from '../../../spec/core/ids.ts'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { rpc } from '../../kit/program/mcp.ts'
import {
  lastTransition,
  performAction,
  previewActions,
  readActor,
  readOperatorActions,
} from '../../kit/program/operatorActions.ts'
import { mutate, startRun } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let agent: BareAgent
let main: string

before(async () => {
  stage = await startTestProgram()
  agent = await startBareAgent(stage, 'bare')
  main = (await reportWorktree(stage, agent, '/srv/bare', ['main'])).main ?? ''
})
after(() => stage?.end())

/** No actor has this ID. */
const someRun = `run_${'0'.repeat(26)}`

test('identity kinds and unknown actors refuse every operator action', async () => {
  const users = await stage.ask<{ actors: { nodes: { id: string }[] } }>('{ actors(kind: USER) { nodes { id } } }')
  const user = users.actors.nodes[0]
  assert.ok(user)
  const why = 'Actors of the kind user accept no operator actions.'
  const listed = await readOperatorActions(stage.ask, user.id)
  assert.deepEqual([listed.refusal, listed.actions], [why, []])
  const action = { forceTransition: { state: 'DISABLED' } }
  const identity = await attempt(user.id, action)
  assert.deepEqual([identity.code, identity.message], ['FAILED_PRECONDITION', why])
  const unknown = await refusal(performAction(stage.ask, { id: someRun, expectedSequence: 1, action }))
  assert.equal(unknown.code, 'NOT_FOUND')
})

/** The refusal, if any. Repeats the action if the actor changes by itself after the look-up of its sequence. */
const attempt = (id: string, action: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  until('the actor not to change for a moment', async () => {
    const { sequence } = await readActor(stage.ask, id)
    const refused = await refusal(performAction(stage.ask, { id, expectedSequence: sequence, action, ...more }))
    return refused.code === 'CONFLICT' ? undefined : refused
  })

type WrongAction = readonly [action: Record<string, unknown>, field: string, message?: RegExp]
const wrongActions: readonly WrongAction[] = [
  [{ forceTransition: { state: 'REVOKED' } }, 'forceTransition.state', /"REVOKED"/],
  [{ retryEffect: { effectId: `${someRun}:1:0` } }, 'retryEffect.effectId', /must be an effect of agt_/],
  [{ giveUpEffect: { effectId: `${someRun}:1:0` } }, 'giveUpEffect.effectId', /must be an effect of agt_/],
  [{ sendEvent: { event: '' } }, 'sendEvent.event'],
  ...['constructor', 'toString', '__proto__', 'nothing'].map(
    (event) => [{ sendEvent: { event } }, 'sendEvent.event', /It has: drain, /] as const,
  ),
  [
    { sendEvent: { event: 'drain', ids: [{ name: 'constructor', id: someRun }] } },
    'sendEvent.ids.0.name',
    /drain requires no IDs/,
  ],
  [{ sendEvent: { event: 'drain', ids: [{ name: 'runId', id: 'run_1' }] } }, 'sendEvent.ids.0.id', /must be an ID/],
]

test('a wrong operator action is refused with the name of its field', async () => {
  for (const [action, field, message = /./] of wrongActions) {
    const refused = await attempt(agent.agentId, action)
    const shown = `${JSON.stringify(action)}: ${refused.message}`
    assert.deepEqual([refused.code, refused.details.field], ['BAD_USER_INPUT', `action.${field}`], shown)
    assert.match(refused.message, message, shown)
  }
  const withoutReason = await attempt(agent.agentId, { sendEvent: { event: 'drain' } }, { reason: '' })
  assert.deepEqual([withoutReason.code, withoutReason.details.field], ['BAD_USER_INPUT', 'reason'])
})

test('an operator action is exactly one of its four types', async () => {
  const [event, state] = [{ sendEvent: { event: 'drain' } }, { forceTransition: { state: 'LOST' } }]
  for (const action of [{}, { ...event, ...state }, { sendEvent: null }, { ...event, retryEffect: null }]) {
    const { code, message } = await attempt(agent.agentId, action)
    assert.equal(code, 'BAD_USER_INPUT', `${JSON.stringify(action)}: ${message}`)
  }
  for (const action of [{}, { ...event, ...state }]) {
    const target = { id: agent.agentId, action, expectedSequence: 1 }
    const call = { name: 'perform_operator_action', arguments: { ...target, reason: 'a model has looked' } }
    const { body } = await rpc(stage, 'tools/call', call, { headers: { 'x-api-key': stage.key } })
    assert.equal(body?.result.isError, true)
    assert.match(body?.result.content[0].text, /action: must have exactly one of sendEvent, /)
  }
})

test('an event that requires IDs has exactly these, in its preview and in the journal', async () => {
  const run = await startRun(stage.ask, { worktreeId: main, command: 'true' })
  const offer = await agent.offers.first('the offer', ({ signal }) => signal === 'OFFER')
  const { jobId } = offer
  await agent.say('acceptJob', { jobId, attempt: offer.attempt }, 'runToken')
  assert.equal((await attempt(run.id, { sendEvent: { event: 'terminate' } })).code, 'GRANTED')
  // The run has ended. Its slot is held until the agent confirms that nothing of it is left.
  const queueId = siblingId('worktreeQueue', main)
  await until('the queue to have the end of the run', async () =>
    (await lastTransition(stage.ask, queueId))?.event === 'ended' ? true : undefined,
  )
  const holderId = { name: 'holderId', id: run.id }
  const withIds = (ids?: readonly object[]) => ({ sendEvent: { event: 'releaseSlot', ...(ids && { ids }) } })
  // The journal has a transition a moment before the process of the actor continues with its new state.
  await until('the queue to accept the release', async () => {
    const [preview] = await previewActions(stage.ask, [{ id: queueId, action: withIds([holderId]) }])
    return preview?.outcome === 'TRANSITION' ? true : undefined
  })
  const release = (await readOperatorActions(stage.ask, queueId)).actions.find(({ event }) => event === 'releaseSlot')
  assert.deepEqual([release?.requiredIds, release?.preview], [[{ name: 'holderId', kinds: ['RUN', 'BUILD'] }], null])

  const wrong = [withIds(), withIds([]), withIds([{ ...holderId, id: jobId }]), withIds([holderId, holderId])]
  const previews = await previewActions(
    stage.ask,
    [withIds([holderId]), ...wrong].map((action) => ({ id: queueId, action })),
  )
  assert.deepEqual(
    previews.map(({ outcome, problem }) => [outcome, problem?.message ?? null]),
    [
      ['TRANSITION', null],
      ['REFUSED', 'action.sendEvent.ids: releaseSlot requires holderId.'],
      ['REFUSED', 'action.sendEvent.ids: releaseSlot requires holderId.'],
      ['REFUSED', 'action.sendEvent.ids.0.id: must be an ID of kind run or build.'],
      ['REFUSED', 'action.sendEvent.ids.1.name: holderId occurs twice.'],
    ],
  )
  assert.deepEqual(
    previews[0]?.queues.map(({ before, after }) => [before.slotsHeld, after.slotsHeld]),
    [[1, 0]],
  )
  await performAction(stage.ask, { id: queueId, action: withIds([holderId]), expectedSequence: previews[0]?.sequence })
  const released = await lastTransition(stage.ask, queueId)
  assert.deepEqual([released?.event, released?.payload.holderId], ['releaseSlot', run.id])
})

test('the refusal of several operator actions names the target that is wrong', async () => {
  const action = { sendEvent: { event: 'cancel' } }
  const foreign = { retryEffect: { effectId: `${someRun}:1:0` } }
  const target = { id: agent.agentId, action, expectedSequence: 1 }
  const perform = (targets: readonly object[]) =>
    refusal(mutate(stage.ask, 'performOperatorActions', { targets, reason: 'r' }, 'results { id }'))
  const twice = await perform([target, target])
  assert.deepEqual([twice.code, twice.details.field], ['BAD_USER_INPUT', 'targets.1.id'])
  const ofAnother = await perform([
    { ...target, id: someRun },
    { ...target, action: foreign },
  ])
  assert.deepEqual(
    [ofAnother.code, ofAnother.details.field],
    ['BAD_USER_INPUT', 'targets.1.action.retryEffect.effectId'],
  )
})
