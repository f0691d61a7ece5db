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
  const where = { scopeId: run.init.ownerId }
  const [rows, count] = await Promise.all([
    views.list({ kind: 'run', where, after: { id: runId }, descending: true, limit: formerTurnsMax }),
    views.count({ kind: 'run', where }),
  ])
  const read = await Promise.all(rows.map((row) => readTurn(row, views)))
  let characters = 0
  const turns = read.filter(({ prompt, answer }, index) => {
    characters += prompt.length + (answer?.length ?? 0)
    // The latest turn is always there. Its prompt and its answer have bounds of their own.
    return index === 0 || characters <= formerTurnsCharacters
  })
  return { turns: turns.reverse(), omitted: Math.max(0, count - 1 - turns.length) }
}

async function readTurn({ id, init }: TypedRow<'run'>, views: TypedViews): Promise<FormerTurn> {
  const [result] = await views.members(id, runMembers.result, 1)
  const text = Object(result?.value).text
  return {
    prompt: specText(init.spec, 'prompt') ?? `(the command: ${init.title})`,
    answer: typeof text === 'string' ? text : null,
  }
}
