/** The events that an inspector receives for an actor's transitions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createInspector, type StatelyInspectionEvent } from '@statelyai/inspect'
import { openInspectedActor } from '../../../clients/inspect/inspectedActor.ts'
import { readOptions, WrongUse } from '../../../clients/inspect/options.ts'
import {
  type InspectorMessage,
  nothingSent,
  type SentState,
  type Transition,
  translate,
} from '../../../clients/inspect/translate.ts'

const chart = (last: object) =>
  JSON.stringify({
    id: 'lamp',
    type: 'parallel',
    states: {
      lifecycle: {
        initial: 'OFF',
        states: { OFF: { on: { press: 'ON' } }, ON: { on: { smash: 'BROKEN' } }, BROKEN: last },
      },
      colour: { initial: 'WHITE', states: { WHITE: {} } },
    },
  })
const definitions = new Map([
  ['v1', chart({ tags: ['terminal'] })],
  ['v2', chart({ tags: ['terminal'], meta: { label: 'In pieces' } })],
])
const at = (state: string) => ({ lifecycle: state, colour: 'WHITE' })
const when = (second: number) => new Date(Date.UTC(2026, 0, 5, 9, 30, second)).toISOString()

const steps: readonly Transition[] = [
  { event: 'create', payload: null, from: null, to: at('OFF'), change: { watts: 5, by: null } },
  { event: 'press', payload: { by: 'ada', type: 'other' }, from: at('OFF'), to: at('ON'), change: { by: 'ada' } },
  { event: 'smash', payload: {}, from: at('ON'), to: at('BROKEN'), change: {} },
].map((step, index) => ({ ...step, sequence: index + 1, at: when(index), machineHash: 'v1' }))

function wordsOf(said: readonly Transition[], begin: SentState = nothingSent): readonly InspectorMessage[] {
  let sent = begin
  return said.flatMap((step) => {
    const next = translate(sent, step, definitions)
    sent = next.sent
    return next.messages
  })
}

describe('the transitions of an actor', () => {
  test('are sent as the actor in its first state, and the event and the snapshot of each transition', () => {
    const made = { status: 'active', value: at('OFF'), context: { watts: 5, by: null } } as const
    const pressed = { type: 'press', by: 'ada' }
    assert.deepEqual(wordsOf(steps), [
      { type: 'actor', at: when(0), snapshot: made, definition: definitions.get('v1') },
      { type: 'event', at: when(0), event: { type: 'create' } },
      { type: 'snapshot', at: when(0), event: { type: 'create' }, snapshot: made },
      { type: 'event', at: when(1), event: pressed },
      {
        type: 'snapshot',
        at: when(1),
        event: pressed,
        snapshot: { status: 'active', value: at('ON'), context: { watts: 5, by: 'ada' } },
      },
      { type: 'event', at: when(2), event: { type: 'smash' } },
      {
        type: 'snapshot',
        at: when(2),
        event: { type: 'smash' },
        snapshot: { status: 'done', value: at('BROKEN'), context: { watts: 5, by: 'ada' } },
      },
    ])
  })

  test('are sent only once', () => {
    const again = steps.slice(0, 2).flatMap((step) => [step, step])
    assert.deepEqual(wordsOf([...again, ...steps]), wordsOf(steps))
  })

  test('begin with the state before the first one if earlier ones are missing', () => {
    const [actor, event] = wordsOf(steps.slice(1))
    assert.ok(actor?.type === 'actor')
    assert.deepEqual(actor.snapshot, { status: 'active', value: at('OFF'), context: {} })
    assert.equal(event?.type, 'event')
  })

  test('are preceded by the actor in its current state if the definition changes', () => {
    const moved = steps.map((step) => (step.sequence === 3 ? { ...step, machineHash: 'v2' } : step))
    const messages = wordsOf(moved)
    assert.deepEqual(
      messages.map(({ type }) => type),
      ['actor', 'event', 'snapshot', 'event', 'snapshot', 'actor', 'event', 'snapshot'],
    )
    const [, , , , , again] = messages
    assert.ok(again?.type === 'actor')
    assert.equal(again.definition, definitions.get('v2'))
    assert.deepEqual(again.snapshot, { status: 'active', value: at('ON'), context: { watts: 5, by: 'ada' } })
  })
})

test('all events for an inspector are of one actor, with the time of their transition and the stored definition', () => {
  const heard: StatelyInspectionEvent[] = []
  const inspected = openInspectedActor('lmp_1', (options) =>
    createInspector({ send: (event) => heard.push(event) }, options),
  )
  inspected.send(steps, definitions)
  inspected.send(steps, definitions)
  assert.equal(inspected.sequence, 3)
  assert.deepEqual(
    heard.map(({ type, sessionId, rootId, createdAt }) => [type, sessionId, rootId, createdAt]),
    ['@xstate.actor', ...steps.flatMap(() => ['@xstate.event', '@xstate.snapshot'])].map((type, index) => [
      type,
      'lmp_1',
      'lmp_1',
      String(Date.parse(when(Math.max(0, Math.ceil(index / 2) - 1)))),
    ]),
  )
  const [actor] = heard
  assert.ok(actor?.type === '@xstate.actor')
  assert.deepEqual([actor.name, actor.definition], ['lmp_1', definitions.get('v1')])
})

describe('the command', () => {
  test('takes an actor, two addresses, and the key of the environment', () => {
    const env = { SIGNALBOX_KEY: 'svc_1' }
    assert.deepEqual(readOptions(['run_1'], env), {
      actorId: 'run_1',
      key: 'svc_1',
      url: 'http://localhost:3000',
      inspector: 'ws://localhost:8080',
    })
    const given = ['--url', 'https://signalbox.example/', 'run_1', '--inspector', 'wss://inspector.example/room']
    assert.deepEqual(readOptions(given, env), {
      actorId: 'run_1',
      key: 'svc_1',
      url: 'https://signalbox.example',
      inspector: 'wss://inspector.example/room',
    })
    assert.equal(readOptions(['--help'], {}), 'help')
  })

  for (const [argv, key, says] of [
    [[], 'svc_1', /one actor/],
    [['run_1', 'run_2'], 'svc_1', /one actor/],
    [['run_1'], '', /SIGNALBOX_KEY/],
    [['run_1', '--key', 'svc_1'], 'svc_1', /--key/],
    [['run_1', '--url', 'ftp://x'], 'svc_1', /--url .*https:\/\//],
    [['run_1', '--inspector', 'localhost'], 'svc_1', /--inspector .*wss:\/\//],
  ] as const)
    test(`rejects wrong arguments: ${argv.join(' ')}`, () => {
      assert.throws(
        () => readOptions(argv, { SIGNALBOX_KEY: key }),
        (error) => error instanceof WrongUse && says.test(error.message),
      )
    })
})
