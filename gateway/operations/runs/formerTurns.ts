import type * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import { runMembers } from '../../../machines/runs/runKeys.ts'
import { type formerTurns, formerTurnsCharacters, formerTurnsMax } from '../../../spec/agents/jobs.ts'
import type { Json } from '../../../spec/core/actor.ts'
import type { TypedViews } from '../typedViews.ts'
import { specText } from './runSpec.ts'

type FormerTurns = v.InferOutput<typeof formerTurns>
type FormerTurn = FormerTurns['turns'][number]

/** The instruction of a follow-up to continue the conversation of the former turns. Other runs have none. */
export interface Continues {
  /** The coding CLI's ID of the conversation. Null if no former turn reported one. */
  readonly conversation: string | null
  /** Whether the run fails if the CLI cannot continue the conversation. */
  readonly required: boolean
}

export const isFollowUp = (spec: Json): boolean => Object.hasOwn(Object(spec), 'continues')

/**
 * Reads the turns before a run. They are read when the run starts and not stored with it: the latest turn may still report its result
 * while the run waits in the queue.
 */
export async function readFormerTurns(runId: string, views: TypedViews): Promise<FormerTurns | null> {
  const run = await views.get('run', runId)
  if (run === undefined) return null
  // A plan or session has at most one active run, so the turns before this one are those that have ended.
  const ended = { kind: 'run', where: { scopeId: run.init.ownerId }, terminal: true } as const
  const [rows, count] = await Promise.all([
    views.list({ ...ended, descending: true, limit: formerTurnsMax }),
    views.count(ended),
  ])
  const former = withoutRetried(rows, run.init.retryOf).toSorted((a, b) => endOf(b) - endOf(a))
  const read = await Promise.all(former.map((row) => readTurn(row, views)))
  let characters = 0
  const turns = read.filter(({ prompt, answer }, index) => {
    characters += prompt.length + (answer?.length ?? 0)
    // The latest turn is always there. Its prompt and its answer have bounds of their own.
    return index === 0 || characters <= formerTurnsCharacters
  })
  return { turns: turns.reverse(), omitted: Math.max(0, count - (rows.length - read.length) - turns.length) }
}

/** A queued follow-up has its ID from the request, so IDs are not in the order of the turns. */
const endOf = ({ context }: TypedRow<'run'>): number => context.times.ended ?? 0

/** A run that was retried is not part of the conversation. */
function withoutRetried(rows: readonly TypedRow<'run'>[], retryOf: string | undefined): readonly TypedRow<'run'>[] {
  const retried = new Set([retryOf, ...rows.map(({ init }) => init.retryOf)])
  return rows.filter(({ id }) => !retried.has(id))
}

async function readTurn({ id, init }: TypedRow<'run'>, views: TypedViews): Promise<FormerTurn> {
  const [result] = await views.members(id, runMembers.result, 1)
  const text = Object(result?.value).text
  return {
    prompt: specText(init.spec, 'prompt') ?? `(the command: ${init.title})`,
    answer: typeof text === 'string' ? text : null,
  }
}
