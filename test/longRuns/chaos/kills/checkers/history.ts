/** Builds the histories of the tests: actors with their journals, jobs with their logs, and requests. */
import { createHash } from 'node:crypto'
import { jobLogStream } from '../../../../../machines/agents/jobKeys.ts'
import type { Json } from '../../../../../spec/core/actor.ts'
import type { Asked, Line, SeenActor, SeenFollowUps, SeenStream, SeenTransition } from '../seen.ts'

export const id = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(26, '0')}`

/** The data that tests may change: the same as `Seen`, but mutable. */
export interface World {
  asked: Asked[]
  lines: Line[]
  actors: Map<string, SeenActor>
  journal: Map<string, SeenTransition[]>
  streams: Map<string, SeenStream>
  followUps: Map<string, SeenFollowUps>
  stepOutputs: Map<string, Readonly<Record<string, string>>>
  outbox: { id: string; type: string; to: string; failed: boolean }[]
  blocked: Map<string, string>
  at: number
}

export type TransitionWords = readonly [
  at: number,
  event: string,
  status: string,
  payload?: SeenTransition['payload'],
  cause?: string,
]

/** Adds an actor and its journal. Its states are its statuses. */
export function addActor(
  world: World,
  kind: string,
  name: string,
  init: SeenActor['init'],
  context: SeenActor['context'],
  words: readonly TransitionWords[],
): void {
  const transitions = words.map(([at, event, status, payload = {}, cause], index): SeenTransition => {
    const from: Json = words[index - 1]?.[2] ?? null
    return {
      seq: index + 1,
      at,
      event,
      status,
      from,
      to: status,
      payload,
      cause: { type: 'actor', ...(cause && { id: cause }) },
    }
  })
  const status = words.at(-1)?.[2] ?? ''
  const terminal = ['SUCCEEDED', 'FAILED', 'CANCELED', 'LOST'].includes(status)
  const watch = { unwatched: false, incidents: 0, stuckAt: null, timed: false }
  world.actors.set(name, {
    id: name,
    kind,
    seq: transitions.length,
    status,
    terminal,
    ...watch,
    value: status,
    context,
    init,
  })
  world.journal.set(name, transitions)
}

/** The text of a follow-up: what `work.sh` executes. */
export const textOf = (step: string, code = '0'): string => `0.1 2 ${code} ${step}`

interface HistoryJob {
  readonly init?: SeenActor['init']
  /** The name of its command. */
  readonly step: string
  readonly began: number
  readonly ended: number
  readonly status?: string
  readonly given?: string
}

/** Adds a job with its log and the records of its command. */
export function addJob(world: World, job: string, { init = {}, step, began, ended, ...more }: HistoryJob): void {
  const { status = 'SUCCEEDED', given } = more
  const output = Buffer.from(`${step}: line 1 of 2\n${step}: line 2 of 2\n`)
  const sha256 = createHash('sha256').update(output).digest('hex')
  addActor(world, 'job', job, init, { attempt: 1, log: { chunks: 1, sha256 } }, [
    [began, 'create', 'QUEUED'],
    [ended, 'complete', status],
  ])
  const end = Buffer.from(JSON.stringify({ chunks: 1, sha256 }))
  const entries = [
    { sequence: 0, kind: 'STDOUT', data: output },
    { sequence: 1, kind: 'END', data: end },
  ]
  world.streams.set(jobLogStream(job, 1), { next: 2, ended: true, entries })
  for (const [what, at] of [
    ['BEGIN', began],
    ['END', ended],
  ] as const)
    world.lines.push({ what, mark: `${job}.1`, step, at, given })
}

export const asked = (operation: string, input: Asked['input'], answer: Asked['answer'], at = 10): Asked => ({
  operation,
  input,
  sentAt: at,
  lastSentAt: at,
  answeredAt: at + 100,
  tries: 1,
  answer,
})
