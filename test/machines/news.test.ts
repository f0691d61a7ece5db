/** The transitions that send notifications to devices, and those that do not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { machines } from '../../machines/machines.ts'
import type { Json } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { News } from '../../spec/devices/news.ts'
import { applyEvent, begin, type PlannedAction } from '../kit/runtime/applyEvent.ts'
import { at, events, inits } from '../kit/runtime/samples/samples.ts'

const newsIn = (actions: readonly PlannedAction[]): News[] =>
  actions.filter(({ type }) => type === 'notify').map(({ params }) => params as News)

/** The notifications of each sample event. Each event must be accepted. */
function told(kind: ActorKind, names: readonly string[], init: Readonly<Record<string, Json>> = {}): News[][] {
  const first = begin(machines[kind], { id: 'x_1', init: { ...inits[kind], ...init }, at })
  let { snapshot } = first
  const news = [newsIn(first.actions)]
  for (const name of names) {
    const payload = events[kind][name]
    const result = applyEvent(machines[kind], snapshot, { type: name.split(' ')[0] ?? name, ...payload, at: at + 10 })
    assert.equal(result.type, 'accepted', `${name}: ${JSON.stringify(result)}`)
    if (result.type !== 'accepted') continue
    snapshot = result.snapshot
    news.push(newsIn(result.actions))
  }
  return news
}

const ofRun = { name: 't', run: { kind: 'SESSION', number: 1 }, agentId: 'agt_1', at: at + 10 }

for (const ending of ['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST']) {
  test(`a run that ends ${ending} is news, once`, () => {
    const news = told('run', ['admit', 'jobChanged ACCEPTED', `jobEnded ${ending}`])
    assert.deepEqual(news, [[], [], [], [{ ...ofRun, reason: 'RUN_ENDED', status: ending }]])
  })
}

test('a run that is canceled while it is queued is news too', () => {
  assert.deepEqual(told('run', ['cancel']).at(-1), [{ ...ofRun, reason: 'RUN_ENDED', status: 'CANCELED' }])
})

test('a run that waits for a person is news, and a repeated report of the same question is not', () => {
  const news = told('run', ['admit', 'jobChanged ACCEPTED', 'jobChanged WAITING', 'answer'])
  assert.deepEqual(news, [[], [], [], [{ ...ofRun, reason: 'WAITING_FOR_INPUT' }], []])
  const machine = machines.run
  const accepted = begin(machine, { id: 'run_1', init: inits.run, at })
  let { snapshot } = accepted
  const asks = (step_: number, questionId: string) => ({
    type: 'jobChanged',
    ...events.run['jobChanged WAITING'],
    step: step_,
    questionId,
  })
  const heard = [
    { type: 'admit', ...events.run.admit },
    { type: 'jobChanged', ...events.run['jobChanged ACCEPTED'] },
    asks(3, 'q'),
    asks(4, 'q'),
    asks(5, 'q2'),
  ].map((event) => {
    const result = applyEvent(machine, snapshot, { ...event, at: at + 10 })
    if (result.type !== 'accepted') throw new Error(JSON.stringify(result))
    snapshot = result.snapshot
    return newsIn(result.actions).length
  })
  assert.deepEqual(heard, [0, 0, 1, 0, 1])
})

test('a failed effect of a run or of a job is news', () => {
  assert.deepEqual(told('run', ['effectFailed']).at(-1), [{ ...ofRun, reason: 'INCIDENT' }])
  const [news] = told('job', ['effectFailed']).at(-1) ?? []
  assert.deepEqual(news, { reason: 'INCIDENT', name: 'commands', agentId: 'agt_1', at: at + 10 })
})

test('a failed effect that sends news is not news, and neither is a failed effect of a notification', () => {
  const { snapshot } = begin(machines.run, { id: 'run_1', init: inits.run, at })
  const failed = { type: 'effectFailed', effectId: 'e', effect: 'notify', problem: 'p', at }
  const result = applyEvent(machines.run, snapshot, failed)
  assert.deepEqual(result.type === 'accepted' && newsIn(result.actions), [])
  assert.deepEqual(told('notification', ['effectFailed']).at(-1), [])
})

test('a lost agent that has jobs is news, and a lost agent without jobs is not', () => {
  const connect = { type: 'connect', ...events.agent.connect, forgot: [], gone: [] }
  const lose = (more: readonly { readonly type: string; readonly [key: string]: unknown }[]) => {
    let { snapshot } = begin(machines.agent, { id: 'agt_1', init: inits.agent, at })
    let news: News[] = []
    for (const event of [connect, ...more, { type: 'lost', epoch: 1 }]) {
      const result = applyEvent(machines.agent, snapshot, { ...event, at: at + 10 })
      if (result.type !== 'accepted') throw new Error(`${event.type}: ${JSON.stringify(result)}`)
      snapshot = result.snapshot
      news = newsIn(result.actions)
    }
    return news
  }
  const offered = { type: 'jobWaiting', jobId: 'job_1', topLevel: true }
  assert.deepEqual(lose([]), [])
  assert.deepEqual(lose([offered]), [{ reason: 'AGENT_LOST', name: 'a', agentId: 'agt_1', at: at + 10 }])
  assert.deepEqual(lose([offered, { type: 'disconnected', epoch: 1 }]).length, 1)
  assert.deepEqual(lose([{ type: 'drain' }, offered]), [], 'a job that only waits for the agent is not lost with it')
})

test('a plan that is COMPLETED or FAILED is news', () => {
  const way = ['runChanged SUCCEEDED', 'play']
  const news = (how: string) => told('plan', [...way, `sessionOver ${how}`]).at(-1)
  const ofPlan = { reason: 'PLAN_ENDED', name: 't', agentId: 'agt_1', at: at + 10 }
  assert.deepEqual(news('well'), [{ ...ofPlan, status: 'COMPLETED' }])
  assert.deepEqual(news('badly'), [{ ...ofPlan, status: 'FAILED' }])
})

test('an enrolled device is news, with its given name or its own name', () => {
  const news = (displayName: string | null) => told('deviceEnrollment', ['send', 'answer'], { displayName }).at(-1)
  const own = { reason: 'DEVICE_ENROLLED', at: at + 10 }
  assert.deepEqual(news('Lab phone'), [{ ...own, name: 'Lab phone' }])
  assert.equal(news(null)?.length, 1)
})
