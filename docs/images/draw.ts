/** `node docs/images/draw.ts` draws `docs/images/run.svg`: the run's machine as it is, with the way that one run takes through it. */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { prepareTransition } from '../../actors/activation/prepareTransition.ts'
import type { Snapshot } from '../../actors/activation/snapshot.ts'
import { decide } from '../../actors/decide/decide.ts'
import { compile } from '../../actors/decide/logic.ts'
import { drawChart } from '../../clients/console/chart/drawChart.ts'
import { type ActiveStates, findActivePaths } from '../../clients/console/chart/findActivePaths.ts'
import { run } from '../../machines/runs/run.ts'
import type { ActorEvent, JournalEntry, Json } from '../../spec/core/actor.ts'

const id = 'run_01kp0000000000000000000000'
const ref = { kind: 'run', id } as const
const began = Date.UTC(2026, 0, 5, 9, 30)

/** What a run is made with. */
const init: Readonly<Record<string, Json>> = {
  kind: 'SESSION',
  number: 42,
  title: 'Fix the login',
  worktreeId: 'wt_01kp0000000000000000000000',
  codebaseId: 'cbs_01kp0000000000000000000000',
  agentId: 'agt_01kp0000000000000000000000',
  ownerId: 'ses_01kp0000000000000000000000',
  parentRunId: null,
  above: [],
  limit: 1,
  exclusive: false,
  timeoutSeconds: 3_600,
  jobKind: 'AI',
  spec: {},
  requestedBy: 'usr_01kp0000000000000000000000',
  createdAt: began,
}

const said = (step: number, state: string, questionId: string | null = null): ActorEvent => ({
  type: 'jobChanged',
  jobId: 'job_01kp0000000000000000000000',
  step,
  state,
  token: null,
  questionId,
  question: questionId === null ? null : { title: 'May I run the tests?' },
})

/** Seconds after its beginning, and what the run hears then. */
const story: readonly (readonly [seconds: number, event: ActorEvent])[] = [
  [0, { type: 'create' }],
  [20, { type: 'placed', queuedAt: began }],
  [95, { type: 'admit', queuedAt: began }],
  [96, { type: 'jobReady', jobId: 'job_01kp0000000000000000000000' }],
  [97, said(1, 'ACCEPTED')],
  [99, said(2, 'STARTED')],
  [160, said(3, 'WAITING', 'q1')],
  [230, said(4, 'STARTED')],
  [
    415,
    {
      type: 'jobEnded',
      jobId: 'job_01kp0000000000000000000000',
      outcome: 'SUCCEEDED',
      problem: null,
      exit: null,
      result: null,
    },
  ],
]

/** The steps that the machine itself takes on that story. */
function steps(): readonly JournalEntry<string>[] {
  const logic = compile(run)
  let snapshot: Snapshot | undefined
  return story.map(([seconds, event], index) => {
    const at = began + seconds * 1_000
    const origin = { cause: 'request', principal: 'docs', requestId: 'docs', receivedAt: at } as const
    const decision = decide(logic, ref, snapshot, { event, origin, ...(index === 0 ? { create: init } : {}) }, at)
    if (decision.type !== 'transition') throw new Error(`the run does not take ${event.type}: ${decision.type}`)
    const prepared = prepareTransition(logic, decision.transition, 'docs')
    snapshot = prepared.after
    return prepared.entry
  })
}

export const runPicture = fileURLToPath(new URL('run.svg', import.meta.url))

export async function drawRun(): Promise<string> {
  const taken = steps()
  const paths = (states: Json) => (states === null ? [] : findActivePaths(states as ActiveStates))
  return await drawChart(compile(run).source, {
    title: 'Run 42 “Fix the login”',
    subtitle: `SUCCEEDED after ${taken.length} steps; the numbers are the steps that it took`,
    trace: {
      transitions: taken.map(({ from, to, event, at }) => ({ from: paths(from), to: paths(to), event, at })),
      current: paths(taken.at(-1)?.to ?? null),
    },
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(runPicture, await drawRun())
