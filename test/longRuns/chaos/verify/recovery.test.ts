import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReadyAnswer } from '../load/readiness.ts'
import { type Outcome, Requests, type Surface } from '../load/requests.ts'
import type { Evidence, InjectedFault } from './evidence.ts'
import { answersInTime, readyIsTrue, recoversInTime, recoveryMs } from './recovery.ts'

const surfaces: readonly Surface[] = ['create', 'save', 'telemetry', 'tool', 'log']
const fault: InjectedFault = {
  kind: 'frozen-database',
  detail: 'process 0',
  instances: [0],
  startedAt: 1_000,
  endedAt: 13_000,
  healedAt: 13_100,
  outage: true,
  overtaken: false,
}

/** Every request is answered at once, UNAVAILABLE during the fault, and work continues 400 ms after it. */
function soundEvidence(): Evidence & { ready: ReadyAnswer[] } {
  const requests = new Requests('t')
  for (let at = 0; at < 30_000; at += 100) {
    const out = at >= fault.startedAt && at < fault.healedAt + 400
    for (const surface of surfaces) add(requests, surface, at, at + 20, out ? 'unavailable' : 'acknowledged')
  }
  const ready = Array.from({ length: 300 }, (_, index) => {
    const at = index * 100
    const out = at >= fault.startedAt + 3_000 && at < fault.healedAt + 300
    return { instance: 0, askedAt: at, answeredAt: at + 10, status: out ? 503 : 200 }
  })
  const lives = [{ starts: [0], ends: [] }]
  const others = { agents: [], followers: [], unnoticed: [], lives, patience: 1, sql: undefined as never }
  return { requests, faults: [fault], ready, loadEndedAt: 30_000, ...others }
}

function add(requests: Requests, surface: Surface, sentAt: number, endedAt: number, outcome: Outcome, code = ''): void {
  requests.all.push({ surface, instance: 0, token: requests.token(), sentAt, endedAt, outcome, code })
}

test('a fault is no violation if all work continues in time, and its recovery ends with the last kind of work', () => {
  const evidence = soundEvidence()
  assert.deepEqual([...recoversInTimeOf(evidence)], [])
  assert.equal(recoveryMs(fault, evidence), 420)
})

test('a kind of work that does not continue is found and named', () => {
  const evidence = soundEvidence()
  for (const one of evidence.requests.all) {
    if (one.surface === 'telemetry' && one.sentAt > fault.startedAt) one.outcome = 'unavailable'
  }
  assert.match(String(recoversInTimeOf(evidence)), /never until the end of the slice \(late: telemetry at 0 never\)/)
})

test('a request without an answer for more than 10 s is found', () => {
  const evidence = soundEvidence()
  add(evidence.requests, 'save', 1_500, 13_000, 'unavailable')
  assert.match(
    String(recoversInTimeOf(evidence)),
    /since frozen-database .* requests had no answer within 10000 ms: 1 × save at 0/,
  )
})

test('a request that is refused with another code than UNAVAILABLE during an outage is found', () => {
  const evidence = soundEvidence()
  add(evidence.requests, 'tool', 2_000, 2_100, 'refused', 'INTERNAL')
  assert.match(
    String(recoversInTimeOf(evidence)),
    /requests were refused with another code than UNAVAILABLE: 1 × tool at 0 refused INTERNAL/,
  )
})

test('a process that reports itself ready while nothing is acknowledged is found', () => {
  const evidence = soundEvidence()
  evidence.ready.push({ instance: 0, askedAt: 12_000, answeredAt: 12_010, status: 200 })
  assert.match(String(recoversInTimeOf(evidence)), /process 0 reported in 1 of \d+ answers that it is ready/)
})

function recoversInTimeOf(evidence: Evidence): readonly string[] {
  return [recoversInTime, answersInTime, readyIsTrue].flatMap((check) => check(evidence) as readonly string[])
}
