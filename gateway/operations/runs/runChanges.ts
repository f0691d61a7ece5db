import * as v from 'valibot'
import { runEventStream } from '../../../machines/runs/runKeys.ts'
import type { StreamEntry } from '../../../spec/core/actor.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  changedCommitsMax,
  changedFileContents,
  changedFileStatuses,
  changedFilesMax,
  changesDiffMax,
  runChanges,
  runChangesSchema,
} from '../../../spec/runs/runChanges.ts'
import { usualBytes } from '../../../spec/runs/runLogs.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { Relations } from '../objectType.ts'
import type { TypedViews } from '../typedViews.ts'
import { findLogSource } from './logs/logSource.ts'
import { headOf, pagesBack } from './logs/pages.ts'

type RunChanges = v.InferInput<typeof runChangesSchema>

const count = v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0)
const upTo = <Item extends v.GenericSchema>(most: number, item: Item) =>
  v.optional(
    v.pipe(
      v.array(v.unknown()),
      v.transform((items) => items.slice(0, most)),
      v.array(item),
    ),
    [],
  )

/** The data of a CHANGES event, as the agent sends it. The parts of the diff are in the events after it. */
const reported = v.object({
  commit: v.string(),
  problem: v.optional(v.string()),
  isShared: v.optional(v.boolean(), false),
  commits: upTo(
    changedCommitsMax,
    v.object({ id: v.string(), author: v.string(), authoredAt: v.string(), subject: v.string() }),
  ),
  commitCount: count,
  files: upTo(
    changedFilesMax,
    v.object({
      path: v.string(),
      oldPath: v.optional(v.string()),
      status: v.picklist(changedFileStatuses),
      content: v.picklist(changedFileContents),
      added: v.nullable(v.number()),
      removed: v.nullable(v.number()),
    }),
  ),
  fileCount: count,
  addedLines: count,
  removedLines: count,
  omittedFromDiff: upTo(changedFilesMax, v.string()),
  omittedFromDiffCount: count,
})
const piece = v.object({ text: v.string() })

/** The events of the changes are the last ones of the run, and the diff has at most this many parts. */
const lookback = 64

/**
 * @param id of the run, or of the job of a step
 * @param maxBytes of the diff
 * @returns null if the agent has not reported the changes
 */
export async function readRunChanges(id: string, maxBytes: number, views: TypedViews): Promise<RunChanges | null> {
  const entries = await lastEntries(runEventStream(id), views)
  const at = entries.findLastIndex(({ kind }) => kind === 'CHANGES')
  const event = entries[at]
  if (event === undefined) return null
  const read = v.safeParse(reported, dataOf(event))
  if (!read.success) return { ...noChanges, problem: 'The agent’s report of the changes has an unknown form.' }
  const { commits, files, problem, ...rest } = read.output
  const parts = entries.slice(at + 1).filter(({ kind }) => kind === 'CHANGES_DIFF')
  const whole = parts
    .map((part) => v.safeParse(piece, dataOf(part)))
    .flatMap(({ success, output }) => (success ? [output.text] : []))
  const { text: diff, isCut: isDiffCut } = cut(whole.join(''), maxBytes)
  return {
    ...rest,
    problem: problem ?? null,
    commits: commits.map(({ id: sha, author, authoredAt, subject }) => ({
      sha,
      author,
      authoredAt: dateOf(authoredAt),
      subject,
    })),
    files: files.map(({ path, oldPath, status, content, added, removed }) => ({
      path,
      oldPath: oldPath ?? null,
      status,
      content,
      addedLines: added,
      removedLines: removed,
    })),
    diff,
    isDiffCut,
  }
}

const noChanges: Omit<RunChanges, 'problem'> = {
  commit: '',
  isShared: false,
  commits: [],
  commitCount: 0,
  files: [],
  fileCount: 0,
  addedLines: 0,
  removedLines: 0,
  diff: '',
  isDiffCut: false,
  omittedFromDiff: [],
  omittedFromDiffCount: 0,
}

async function lastEntries(name: string, views: TypedViews): Promise<readonly StreamEntry[]> {
  let entries: readonly StreamEntry[] = []
  for await (const page of pagesBack(views, name, await headOf(views, name))) {
    entries = [...page.entries, ...entries]
    if (entries.length >= lookback || entries.some(({ kind }) => kind === 'CHANGES')) break
  }
  return entries
}

function dataOf({ data }: StreamEntry): unknown {
  return JSON.parse(new TextDecoder().decode(data))
}

function dateOf(text: string): RunChanges['commits'][number]['authoredAt'] {
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : toDateTime(at)
}

/** Cuts after a whole line. */
function cut(text: string, maxBytes: number): { readonly text: string; readonly isCut: boolean } {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= maxBytes) return { text, isCut: false }
  const end = bytes.lastIndexOf(10, maxBytes - 1)
  return { text: new TextDecoder().decode(bytes.subarray(0, end + 1)), isCut: true }
}

export const runChangesHandlers = [
  handle(runChanges, ['views'], {
    read: async ({ runId, step, maxBytes = null }, { views }) => {
      const run = await requireRow(views, 'run', runId)
      const most = maxBytes ?? usualBytes
      if (run.init.jobKind !== 'STEPS' && !step)
        return run.columns.terminal ? await readRunChanges(runId, most, views) : null
      const source = await findLogSource(runId, step ?? undefined, views)
      return source?.hasEnded === true ? await readRunChanges(source.jobIdOf(source.latestAttempt), most, views) : null
    },
  }),
]

/** `Run.changes` */
export const changesOfRun = {
  type: 'derived',
  output: runChangesSchema,
  nullable: true,
  description:
    'The changes that the run made in its worktree. Null before its end, if its agent could not record them, and for the run of a workflow: `runChanges` has those of each step.',
  load: async (parents, { views }) =>
    await Promise.all(
      parents.map(({ id, endedAt }) => (endedAt === null ? null : readRunChanges(String(id), changesDiffMax, views))),
    ),
} as const satisfies Relations[string]
