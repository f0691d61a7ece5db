/** The checker of workflows finds each violation, and names it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobIdOf, stepIdOf } from '../../../../../../machines/work/steps/stepKeys.ts'
import { siblingId } from '../../../../../../spec/core/ids.ts'
import type { SeenActor, SeenTransition } from '../../seen.ts'
import { addActor, addJob, asked, id, type World } from '../history.ts'
import { soundWorld } from '../soundHistory.ts'
import { workflowQueueId, workflowRuns } from '../soundWorkflows.ts'
import { stepsHold } from './stepsHold.ts'

const { all, inner, failed, restarted } = workflowRuns
const executionOf = (runId: string) => siblingId('workflowExecution', runId)
const [build, check, ask, call, use] = [0, 1, 2, 3, 4].map((index) => stepIdOf(all, index)) as [
  string,
  string,
  string,
  string,
  string,
]

const change = (world: World, name: string, actor: (before: SeenActor) => Partial<SeenActor>) => {
  const before = world.actors.get(name)
  assert.ok(before)
  world.actors.set(name, { ...before, ...actor(before) })
}
const changeTransition = (world: World, name: string, index: number, changed: Partial<SeenTransition>) =>
  world.journal.set(
    name,
    (world.journal.get(name) ?? []).map((one, at) => (at === index ? { ...one, ...changed } : one)),
  )
const changeLines = (world: World, jobId: string, more: { readonly at?: number; readonly given?: string }) => {
  world.lines = world.lines.map((line) => (line.mark.startsWith(jobId) ? { ...line, ...more } : line))
}
const withBegin = (begin: SeenActor['init'][string]) => (before: SeenActor) => ({ init: { ...before.init, begin } })
const withSpec = (spec: object) => (before: SeenActor) => ({
  init: { ...before.init, spec: { ...Object(before.init.spec), ...spec } },
})
const withBeginning = (type: string) => (before: SeenActor) => ({ init: { ...before.init, begin: { type } } })
const withContext = (context: SeenActor['context']) => (before: SeenActor) => ({
  context: { ...before.context, ...context },
})

const violations: Readonly<Record<string, readonly [spoil: (world: World) => unknown, found: RegExp]>> = {
  'a start that became two runs': [
    (world) => world.actors.set(id('run', 40), { ...(world.actors.get(all) as SeenActor), id: id('run', 40) }),
    /exist for 1 starts/,
  ],
  'a run without a request': [
    (world) => {
      world.asked = world.asked.filter(({ input }) => input.idempotencyKey !== 's1')
    },
    /exist for 0 starts/,
  ],
  'a restart that became two runs': [
    (world) => world.actors.set(id('run', 40), { ...(world.actors.get(restarted) as SeenActor), id: id('run', 40) }),
    /exist for 1 starts/,
  ],
  'an execution that has not ended': [
    (world) => change(world, executionOf(all), () => ({ terminal: false, status: 'RUNNING' })),
    /wfx_.* is RUNNING at the end/,
  ],
  'a step that has not ended': [
    (world) => change(world, ask, () => ({ terminal: false, status: 'WAITING_FOR_APPROVAL' })),
    /stp_.* is WAITING_FOR_APPROVAL at the end/,
  ],
  'a run whose status differs from that of its execution': [
    (world) => change(world, executionOf(all), () => ({ status: 'FAILED' })),
    /is SUCCEEDED and its execution is FAILED/,
  ],
  'a run without an execution': [
    (world) => world.actors.delete(executionOf(all)),
    /is SUCCEEDED and its execution is missing/,
  ],
  'a step that is lost': [(world) => world.actors.delete(use), /is SUCCEEDED without its step use/],
  'a step that the definition does not have': [
    (world) => addActor(world, 'workflowStep', stepIdOf(all, 7), { place: { runId: all } }, {}, []),
    /that its definition does not have/,
  ],
  'a slot that is held at the end': [
    (world) => change(world, workflowQueueId, () => ({ context: { held: { WORKFLOW: 1 } } })),
    /holds the slots/,
  ],
  'a step that began before a needed step had ended': [
    (world) => changeTransition(world, use, 0, { cause: { type: 'actor', id: `${executionOf(all)}:1:0` } }),
    /which it needs, had ended/,
  ],
  'a command that ran before the command of a needed step': [
    (world) => changeLines(world, jobIdOf(check, 2), { at: 0 }),
    /began before that of .* had ended/,
  ],
  'a step that began although its condition skips it': [
    (world) => change(world, stepIdOf(failed, 0), () => ({ status: 'FAILED' })),
    /began with start instead of skip NEEDED_STEP_FAILED/,
  ],
  'a step that was skipped without a reason': [
    (world) => change(world, use, withBegin({ type: 'skip', problem: { code: 'CONDITION_NOT_MET', message: '' } })),
    /began with skip CONDITION_NOT_MET instead of start/,
  ],
  'an attempt without a job': [(world) => world.actors.delete(jobIdOf(check, 1)), /the attempt .* is missing/],
  'a job of a step that is not one of its attempts': [
    (world) => {
      const init = { owner: { kind: 'workflowStep', id: build } }
      addJob(world, jobIdOf(build, 2), { init, step: 'build', began: 1, ended: 2 })
    },
    /is a job of .* that is not one of its attempts/,
  ],
  'a job whose step does not exist': [
    (world) => {
      const init = { owner: { kind: 'workflowStep', id: id('stp', 1) } }
      addJob(world, jobIdOf(id('stp', 1), 1), { init, step: 'x', began: 1, ended: 2 })
    },
    /belong to no step/,
  ],
  'a step that was repeated after it had succeeded': [
    (world) => change(world, jobIdOf(check, 1), () => ({ status: 'SUCCEEDED' })),
    /was repeated after .* SUCCEEDED/,
  ],
  'a step whose status differs from that of its last attempt': [
    (world) => change(world, jobIdOf(build, 1), () => ({ status: 'FAILED' })),
    /is SUCCEEDED and its last attempt .* is FAILED/,
  ],
  'more attempts than the definition allows': [
    (world) => change(world, build, withContext({ attempt: 2 })),
    /had 2 attempts instead of 1 at most/,
  ],
  'a WORKFLOW step with two runs': [
    (world) => world.actors.set(id('run', 40), { ...(world.actors.get(inner) as SeenActor), id: id('run', 40) }),
    /and the runs run_.*, run_/,
  ],
  'a WORKFLOW step whose run is lost': [(world) => world.actors.delete(inner), /and the runs none/],
  'an acknowledged decision that is not the stored one': [
    (world) => change(world, ask, withContext({ approval: { decision: 'REJECTED' } })),
    /APPROVED of .* was acknowledged, and REJECTED is stored/,
  ],
  'a decision without a request': [
    (world) => {
      world.asked = world.asked.filter(({ operation }) => operation !== 'decideApproval')
    },
    /no request had this decision/,
  ],
  'an approval that was decided twice': [
    (world) => changeTransition(world, ask, 0, { event: 'decide' }),
    /was decided 2 times/,
  ],
  'an approval that continues after a rejection': [
    (world) => {
      change(world, ask, withContext({ approval: { decision: 'REJECTED' } }))
      world.asked.push(asked('decideApproval', { stepId: ask, decision: 'REJECTED' }, { type: 'unknown' }))
    },
    /is SUCCEEDED after REJECTED/,
  ],
  'an approval that continues without a decision': [
    (world) => change(world, ask, withContext({ approval: null })),
    /is SUCCEEDED without a decision/,
  ],
  'the outputs of another attempt': [
    (world) => world.stepOutputs.set(check, { token: `${jobIdOf(check, 1)}.1/check` }),
    /has the output .* instead of/,
  ],
  'outputs that are lost': [(world) => world.stepOutputs.delete(call), /has the output undefined instead of/],
  'an output that the next step did not receive': [
    (world) => changeLines(world, jobIdOf(use, 1), { given: '' }),
    /received {2}instead of job_/,
  ],
  'a restart that executes a step again': [
    (world) => change(world, restarted, withSpec({ reuse: {} })),
    /again, which had SUCCEEDED/,
  ],
  'a restart that keeps a step that had failed': [
    (world) => change(world, stepIdOf(failed, 0), () => ({ status: 'FAILED' })),
    /has the outputs of .*, which is FAILED/,
  ],
  'a step that was kept behind a step that is executed again': [
    (world) => {
      change(world, restarted, withSpec({ reuse: { check: { stepId: stepIdOf(failed, 1) } } }))
      change(world, stepIdOf(restarted, 0), withBeginning('start'))
      change(world, stepIdOf(restarted, 1), withBeginning('reuse'))
    },
    /began with reuse instead of start/,
  ],
  'a kept step that was executed': [
    (world) => change(world, stepIdOf(restarted, 0), withContext({ attempt: 1 })),
    /was executed although it was kept/,
  ],
}

for (const [what, [spoil, found]] of Object.entries(violations)) {
  test(`stepsHold finds ${what}`, () => {
    const world = soundWorld()
    spoil(world)
    assert.match(
      stepsHold(world)
        .map((one) => one.what)
        .join('\n'),
      found,
    )
  })
}

test('a start whose answer was lost may have created a run or not', () => {
  const world = soundWorld()
  const unknown = { type: 'unknown' } as const
  world.asked = world.asked.map((one) => (one.input.idempotencyKey === 's1' ? { ...one, answer: unknown } : one))
  assert.deepEqual(stepsHold(world), [])
  world.asked.push(asked('startWorkflow', { inputs: { start: 'three' }, idempotencyKey: 's9' }, unknown))
  assert.deepEqual(stepsHold(world), [])
})
