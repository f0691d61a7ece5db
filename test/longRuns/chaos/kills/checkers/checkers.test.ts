/** Every checker accepts a sound history, and finds each violation that is put into it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { jobLogStream } from '../../../../../machines/agents/jobKeys.ts'
import { jobIdOf, stepIdOf } from '../../../../../machines/work/steps/stepKeys.ts'
import type { Asked, SeenActor, SeenFollowUps, SeenTransition } from '../seen.ts'
import { checkers } from './checkers.ts'
import { addActor, addJob, asked, id, textOf, type World } from './history.ts'
import { addRun, enqueue, queueId, readmit, soundWorld, worktreeId } from './soundHistory.ts'
import { workflowQueueId, workflowRuns } from './soundWorkflows.ts'

const build = stepIdOf(workflowRuns.all, 0)
const buildJob = jobIdOf(build, 1)
const run = (n: number) => id('run', n)
const job = (n: number) => id('job', n)
const change = (world: World, name: string, actor: Partial<SeenActor>) => {
  const before = world.actors.get(name)
  if (before) world.actors.set(name, { ...before, ...actor })
}
const spoilTransition = (world: World, name: string, index: number, changed: Partial<SeenTransition>) => {
  const transitions = world.journal.get(name) ?? []
  world.journal.set(
    name,
    transitions.map((one, at) => (at === index ? { ...one, ...changed } : one)),
  )
}
/** Pauses and resumes the queue at these times. */
const pauseQueue = (world: World, ...changes: (readonly [at: number, event: 'pause' | 'resume'])[]) => {
  const before = world.journal.get(queueId) ?? []
  const last = before.at(-1) ?? assert.fail()
  const added = changes.map(([at, event], index) => ({ ...last, seq: last.seq + 1 + index, at, event, payload: {} }))
  world.journal.set(queueId, [...before, ...added])
}
const spoilLog = (world: World, change_: (entries: { sequence: number; kind: string; data: Uint8Array }[]) => void) => {
  const name = jobLogStream(job(1), 1)
  const stream = world.streams.get(name)
  const entries = [...(stream?.entries ?? [])]
  change_(entries)
  world.streams.set(name, { next: stream?.next ?? 0, ended: true, entries })
}
const accepted = (object: Record<string, unknown>) => ({ type: 'accepted', object }) as const
const refused = (code: string, details: Record<string, unknown> = {}, message = '') =>
  ({ type: 'refused', code, message, details }) as const
const claim = (world: World, ...words: Parameters<typeof asked>) => world.asked.push(asked(...words))

const spoilAsked = (world: World, operation: string, n: number, change_: Partial<Asked>) => {
  world.asked = world.asked.map((one) =>
    one.operation === operation && JSON.stringify([one.input, one.answer]).includes(run(n))
      ? { ...one, ...change_ }
      : one,
  )
}
const setFollowUps = (world: World, followUps: Partial<SeenFollowUps>) =>
  world.followUps.set(id('ses', 1), { queued: [], withdrawn: [], ...followUps })

/** For each checker: the violations, each with a description. */
const spoiled: Readonly<Record<keyof typeof checkers, Readonly<Record<string, (world: World) => unknown>>>> = {
  answersAreTrue: {
    'an acknowledged run that does not exist': (world) => world.actors.delete(run(1)),
    'an acknowledged follow-up that is neither a run nor queued': (world) =>
      claim(world, 'createRunFollowUp', { runId: run(1) }, accepted({ id: run(99) })),
    'a run whose session does not exist': (world) => world.actors.delete(id('ses', 1)),
    'a run with another title than the requested one': (world) =>
      claim(world, 'createAgentRun', { title: 'x', kind: 'SESSION', worktreeId }, accepted({ id: run(1) })),
    'two runs for one idempotency key': (world) =>
      claim(
        world,
        'createAgentRun',
        { worktreeId, kind: 'SESSION', title: 't1', idempotencyKey: 'k1' },
        accepted({ id: run(2) }),
      ),
    'an acknowledged cancel of a run that was not canceled': (world) =>
      claim(world, 'cancelRun', { runId: run(1) }, accepted({ id: run(1) })),
    'a limit that was not set': (world) =>
      claim(
        world,
        'updateRunConfiguration',
        { runId: run(1), configuration: { worktreeConcurrencyLimit: 2 } },
        accepted({ id: run(1) }),
      ),
    'a queue that was not paused': (world) =>
      claim(world, 'pauseWorktreeQueue', { worktreeId }, accepted({ id: queueId })),
    'a pause that was lost, before a later one': (world) => {
      pauseQueue(world, [5_000, 'pause'])
      claim(world, 'pauseWorktreeQueue', { worktreeId }, accepted({ id: queueId }))
    },
    'a resumption that was lost, before a later one': (world) => {
      pauseQueue(world, [500, 'pause'], [9_000, 'resume'])
      claim(world, 'resumeWorktreeQueue', { worktreeId }, accepted({ id: queueId }), 3_000)
    },
    'a pause that was lost, after an earlier one had ended': (world) => {
      pauseQueue(world, [500, 'pause'], [600, 'resume'])
      claim(world, 'pauseWorktreeQueue', { worktreeId }, accepted({ id: queueId }), 5_000)
    },
    'NOT_FOUND for a run that exists': (world) =>
      claim(world, 'cancelRun', { runId: run(1) }, refused('NOT_FOUND'), 5_000),
    'a refusal with a state that the run did not have at that time': (world) =>
      claim(
        world,
        'cancelRun',
        { runId: run(1) },
        refused('FAILED_PRECONDITION', { id: run(1), state: 'SUCCEEDED' }),
        20,
      ),
    'a conflict of an idempotency key that was used once': (world) =>
      claim(world, 'createAgentRun', { idempotencyKey: 'k9' }, refused('CONFLICT', { field: 'idempotencyKey' })),
    'a refusal because of a session turn that had ended before the request': (world) => {
      spoilTransition(world, id('ses', 1), 0, { event: 'runChanged', payload: { runId: run(1), status: 'SUCCEEDED' } })
      claim(world, 'createRunFollowUp', { runId: run(1) }, refused('FAILED_PRECONDITION', { runId: run(1) }), 5_000)
    },
    'a repeat that is answered without a run although the follow-up was not withdrawn': (world) =>
      claim(world, 'createRunFollowUp', { runId: run(1), prompt: textOf('two'), idempotencyKey: 'f2' }, accepted({})),
    'a refused withdrawal of a follow-up that was queued': (world) =>
      claim(
        world,
        'withdrawQueuedFollowUp',
        { sessionId: id('ses', 1), runId: run(9) },
        refused('FAILED_PRECONDITION', { runId: run(9) }),
        5_000,
      ),
    'an edit that was refused for a revision that the follow-up had': (world) =>
      claim(
        world,
        'updateQueuedFollowUp',
        { sessionId: id('ses', 1), runId: run(9), prompt: textOf('nine-e1'), expectedRevision: 1 },
        refused('CONFLICT', { field: 'expectedRevision', revision: 2 }),
        5_000,
      ),
    'an INTERNAL error': (world) => claim(world, 'cancelRun', { runId: run(1) }, refused('INTERNAL')),
  },
  journalIsWhole: {
    'a missing transition': (world) => world.journal.get(run(1))?.splice(1, 1),
    'a missing last transition': (world) => world.journal.get(run(1))?.pop(),
    'a sequence that occurs twice': (world) => spoilTransition(world, run(1), 2, { seq: 2 }),
    'a transition that begins in another state than the one before it ended': (world) =>
      spoilTransition(world, run(1), 2, { from: 'RUNNING' }),
    'a snapshot to which its last transition did not lead': (world) => change(world, run(1), { status: 'FAILED' }),
    'a message that was applied twice': (world) =>
      spoilTransition(world, run(2), 2, { cause: { type: 'actor', id: `${job(1)}:2:0` } }),
  },
  executedOnce: {
    'a command that began twice': (world) =>
      world.lines.push({ what: 'BEGIN', mark: `${job(1)}.1`, step: 'one', at: 150 }),
    'a SUCCEEDED run without a command': (world) => world.lines.splice(0, 2),
    'a FAILED run whose command does not fail': (world) => change(world, run(1), { status: 'FAILED' }),
    'a SUCCEEDED run whose command did not end': (world) => world.lines.splice(1, 1),
    'a command of a step that began twice': (world) =>
      world.lines.push({ what: 'BEGIN', mark: `${buildJob}.1`, step: 'build', at: 1_500 }),
    'a step that SUCCEEDED without its command': (world) => {
      world.lines = world.lines.filter(({ mark }) => mark !== `${buildJob}.1`)
    },
    'a FAILED attempt of a step whose command does not fail': (world) => change(world, buildJob, { status: 'FAILED' }),
    'a command of an attempt that its step does not have': (world) =>
      world.lines.push({ what: 'BEGIN', mark: `${jobIdOf(build, 2)}.1`, step: 'build', at: 1_500 }),
  },
  stepsHold: {
    'a step that is lost': (world) => world.actors.delete(build),
  },
  followUpsHold: {
    'a follow-up that was acknowledged and is lost': (world) => setFollowUps(world, { withdrawn: [run(8)] }),
    'a follow-up whose run is lost': (world) => world.actors.delete(run(2)),
    'a queued follow-up that nothing starts': (world) =>
      change(world, id('ses', 1), { context: { isQueuePaused: false } }),
    'a follow-up that was withdrawn and ran': (world) =>
      addRun(world, 8, 500, 9, 501, 502, { owner: 1, followUp: 'eight' }),
    'a follow-up that was withdrawn and is queued': (world) => setFollowUps(world, { queued: [run(8), run(9)] }),
    'a follow-up that is a run and queued': (world) =>
      setFollowUps(world, { queued: [run(2), run(9)], withdrawn: [run(8)] }),
    'a follow-up without its edit': (world) => {
      const before = world.actors.get(run(2))
      change(world, run(2), { init: { ...before?.init, spec: { prompt: textOf('two') } } })
    },
    'a follow-up with the text of an edit that was refused at its first try': (world) =>
      spoilAsked(world, 'updateQueuedFollowUp', 2, { answer: refused('FAILED_PRECONDITION') }),
    'a follow-up that became two runs': (world) => addRun(world, 3, 500, 9, 501, 502, { owner: 1, followUp: 'two-e1' }),
    'a follow-up that became a second run before its edit': (world) =>
      addRun(world, 3, 500, 9, 501, 502, { owner: 1, followUp: 'two' }),
    'a follow-up that was executed by two jobs': (world) =>
      world.lines.push({ what: 'BEGIN', mark: `${job(3)}.1`, step: 'two-e1', at: 500 }),
    'a follow-up that passed an earlier one': (world) => {
      addRun(world, 9, 500, 9, 501, 502, { owner: 1, followUp: 'nine' })
      setFollowUps(world, { withdrawn: [run(8)] })
      spoilTransition(world, id('ses', 1), 8, { payload: { runId: run(9), status: 'RUNNING' } })
    },
    'turns that overlap': (world) => {
      const begin = world.lines.findIndex(({ what, mark }) => what === 'BEGIN' && mark === `${job(2)}.1`)
      world.lines.splice(begin, 1, { what: 'BEGIN', mark: `${job(2)}.1`, step: 'two-e1', at: 190 })
    },
  },
  limitsHold: {
    'a run that was admitted beyond its limit': (world) => readmit(world, 2, 3),
    'commands of two runs at the same time': (world) =>
      world.lines.splice(
        2,
        2,
        { what: 'BEGIN', mark: `${job(2)}.1`, step: 'one', at: 150 },
        { what: 'END', mark: `${job(2)}.1`, step: 'one', at: 160 },
      ),
    'an exclusive run that was admitted beside another run': (world) => {
      spoilTransition(world, queueId, 2, { payload: enqueue(2, { exclusive: true, limit: 0 }) })
      readmit(world, 2, 3)
    },
    'a run that was admitted beside an exclusive run': (world) => {
      spoilTransition(world, queueId, 1, { payload: enqueue(1, { exclusive: true }) })
      spoilTransition(world, queueId, 2, { payload: enqueue(2, { limit: 0 }) })
      readmit(world, 2, 3)
    },
    'a run that a paused queue admitted': (world) => spoilTransition(world, queueId, 0, { event: 'pause' }),
    'a slot that its ended run does not give back': (world) =>
      spoilTransition(world, queueId, 6, { event: 'continue' }),
    'commands of the steps of two runs at the same time': (world) => {
      world.lines = world.lines.map((line) =>
        line.mark === `${jobIdOf(stepIdOf(workflowRuns.failed, 0), 1)}.1`
          ? { ...line, at: line.what === 'BEGIN' ? 0 : 9_000 }
          : line,
      )
    },
    'a step that was admitted although its run had no slot': (world) =>
      spoilTransition(world, workflowQueueId, 1, { event: 'continue' }),
    'a slot that a job of a step keeps': (world) => {
      const settled = (world.journal.get(workflowQueueId) ?? []).findIndex(
        ({ event, payload }) => event === 'settled' && payload.runId === build,
      )
      spoilTransition(world, workflowQueueId, settled, { event: 'continue' })
    },
    'an admission of a run that is not in the queue': (world) =>
      spoilTransition(world, queueId, 2, { event: 'continue' }),
  },
  orderHolds: {
    'a run that was admitted before an earlier run': (world) => {
      addRun(world, 3, 30, 5, 300, 301)
      spoilTransition(world, queueId, 0, { event: 'enqueue', at: 5, payload: enqueue(3) })
      spoilTransition(world, queueId, 1, { payload: enqueue(1) })
    },
    'a run that was admitted before an earlier exclusive run': (world) => {
      spoilTransition(world, queueId, 0, {
        event: 'enqueue',
        at: 5,
        payload: enqueue(3, { kind: 'WORKFLOW', exclusive: true }),
      })
    },
  },
  comesToRest: {
    'a QUEUED run without a reason': (world) => change(world, run(1), { status: 'QUEUED', terminal: false }),
    'a QUEUED run that could start': (world) => {
      change(world, run(1), { status: 'QUEUED', terminal: false })
      world.blocked.set(run(1), 'STARTING')
    },
    'an ADMITTED run without a job': (world) => {
      change(world, run(1), { status: 'ADMITTED', terminal: false })
      world.actors.delete(job(1))
    },
    'a RUNNING run whose job is terminal': (world) => change(world, run(1), { status: 'RUNNING', terminal: false }),
    'an actor that is in its state longer than expected': (world) => change(world, queueId, { stuckAt: 9_000 }),
    'an unwatched actor': (world) => change(world, queueId, { unwatched: true }),
    'an incident': (world) => change(world, job(1), { incidents: 1 }),
    'a failed effect of a terminal actor': (world) =>
      world.outbox.push({ id: `${job(1)}:2:0`, type: 'endStream', to: job(1), failed: true }),
  },
  logsAreWhole: {
    'a missing log': (world) => world.streams.delete(jobLogStream(job(1), 1)),
    'a log without its end': (world) => spoilLog(world, (entries) => entries.pop()),
    'a missing chunk': (world) => spoilLog(world, (entries) => entries.shift()),
    'a missing log of a job of a step': (world) => world.streams.delete(jobLogStream(buildJob, 1)),
    'lines that a command of a step never wrote': (world) => {
      const name = jobLogStream(buildJob, 1)
      const other = world.streams.get(jobLogStream(job(1), 1))
      const { context } = world.actors.get(job(1)) ?? assert.fail()
      if (other) world.streams.set(name, other)
      change(world, buildJob, { context })
    },
    'a gap in the sequences': (world) =>
      spoilLog(world, (entries) => entries.splice(1, 1, { sequence: 2, kind: 'END', data: Buffer.from('{}') })),
    'a chunk with other bytes than its command wrote': (world) =>
      spoilLog(world, (entries) => entries.splice(0, 1, { sequence: 0, kind: 'STDOUT', data: Buffer.from('x') })),
    'the SHA-256 of another log': (world) =>
      change(world, job(1), { context: { attempt: 1, log: { chunks: 1, sha256: 'x' } } }),
    'a log without all lines of its command': (world) => {
      const before = world.actors.get(run(1))
      change(world, run(1), { init: { ...before?.init, spec: { prompt: '0.1 3 0 one' } } })
    },
  },
  outboxIsEmpty: {
    'a message that was never delivered': (world) =>
      world.outbox.push({ id: `${run(1)}:1:0`, type: 'tell', to: queueId, failed: false }),
  },
}

for (const [name, { check }] of Object.entries(checkers)) {
  describe(name, () => {
    test('accepts a history without violations', () => assert.deepEqual(check(soundWorld()), []))
    for (const [what, spoil] of Object.entries(spoiled[name] ?? {})) {
      test(`finds ${what}`, () => {
        const world = soundWorld()
        spoil(world)
        assert.notEqual(check(world).length, 0)
      })
    }
  })
}

describe('an acknowledged request', () => {
  const check = checkers.answersAreTrue?.check ?? assert.fail()

  for (const [what, operation, at] of [
    ['may pause a queue that is already paused', 'pauseWorktreeQueue', 3_000],
    ['may pause a queue until the end of the earlier pause is committed', 'pauseWorktreeQueue', 5_500],
    ['may resume a queue before its pause begins', 'resumeWorktreeQueue', 400],
    ['may resume a queue whose pause has ended', 'resumeWorktreeQueue', 8_000],
  ] as const) {
    test(what, () => {
      const world = soundWorld()
      pauseQueue(world, [2_000, 'pause'], [5_000, 'resume'])
      claim(world, operation, { worktreeId }, accepted({ id: queueId }), at)
      assert.deepEqual(check(world), [])
    })
  }
})

describe('follow-ups', () => {
  const check = checkers.followUpsHold?.check ?? assert.fail()

  test('may have the text of an edit or not, if its answer was lost', () => {
    for (const [tries, answer] of [
      [2, refused('FAILED_PRECONDITION', { runId: run(2) })],
      [1, { type: 'unknown' }],
    ] as const) {
      for (const step of ['two', 'two-e1']) {
        const world = soundWorld()
        spoilAsked(world, 'updateQueuedFollowUp', 2, { tries, answer })
        const before = world.actors.get(run(2))
        change(world, run(2), { init: { ...before?.init, spec: { prompt: textOf(step) } } })
        assert.deepEqual(check(world), [])
      }
    }
  })

  test('may have started or not, if the answer to their withdrawal was lost', () => {
    const world = soundWorld()
    spoilAsked(world, 'withdrawQueuedFollowUp', 8, { answer: { type: 'unknown' } })
    assert.deepEqual(check(world), [])
    addRun(world, 8, 500, 9, 501, 502, { owner: 1, followUp: 'eight' })
    setFollowUps(world, { queued: [run(9)] })
    assert.deepEqual(check(world), [])
  })

  test('may be withdrawn, and a repeat of the request is then answered without a run', () => {
    const world = soundWorld()
    const input = { runId: run(1), prompt: textOf('eight'), idempotencyKey: 'f8' }
    claim(world, 'createRunFollowUp', input, accepted({}), 300)
    for (const { check: any } of Object.values(checkers)) assert.deepEqual(any(world), [])
  })
})

test('every checker has histories that violate it', () => {
  assert.deepEqual(Object.keys(spoiled).sort(), Object.keys(checkers).sort())
})

test('a build of the files of a worktree needs a slot, and a build of a commit needs none', () => {
  const findings = (slot?: object) => {
    const world = soundWorld()
    const steps = [{ command: "sh 'work.sh' 'record' '0.1 2 0 built'" }]
    addActor(world, 'build', id('bld', 20), { content: { steps }, worktreeId, ...(slot && { slot }) } as never, {}, [
      [500, 'create', 'QUEUED'],
      [600, 'jobEnded', 'SUCCEEDED'],
    ])
    addJob(world, id('job', 20), { step: 'built', began: 510, ended: 590 })
    return Object.entries(checkers).flatMap(([name, { check }]) => check(world).map(({ what }) => `${name}: ${what}`))
  }
  assert.deepEqual(findings(), [])
  assert.deepEqual(findings({ limit: 1, exclusive: false, above: [] }), [
    `limitsHold: the command of ${id('bld', 20)} ran although no queue admitted it`,
  ])
})
