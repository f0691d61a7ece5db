/** The changes of a run as events of the run. The events have a maximum size, and there may be many files and a long diff. */
import { changedFilesMax } from '../../../spec/runs/runChanges.ts'
import type { ChangedFile } from './changedFiles.ts'
import type { Changes } from './changes.ts'

export interface ChangesEvent {
  readonly type: 'CHANGES' | 'CHANGES_DIFF'
  readonly data: Readonly<Record<string, unknown>>
}

/** The maximum number of files in an event, and their size as JSON. The control plane accepts 256 Ki characters for the whole event. */
const filesMax = changedFilesMax
const filesSizeMax = 128 * 1024
/** The maximum size of all commits in an event, as JSON. */
const commitsSizeMax = 64 * 1024
/** The maximum size of the names of files that are not in the diff, as JSON. */
const namesSizeMax = 16 * 1024
/** Characters of the diff in one event. As JSON, a character takes up to six. */
const pieceLength = 40 * 1024

/**
 * @param commit the one at which the run began
 * @param isShared whether another run used the worktree at the same time
 */
export function toChangesEvents(changes: Changes, commit: string, isShared: boolean): readonly ChangesEvent[] {
  const files = fitting(changes.files.slice(0, filesMax), filesSizeMax)
  const pieces: ChangesEvent[] = []
  for (let at = 0; at < changes.diff.length; at += pieceLength)
    pieces.push({ type: 'CHANGES_DIFF', data: { text: changes.diff.slice(at, at + pieceLength) } })
  const { commits, omitted, omittedFiles, omittedFromDiff } = changes
  const data = {
    commit,
    isShared,
    commits: fitting(commits, commitsSizeMax),
    commitCount: commits.length + omitted,
    files,
    fileCount: changes.files.length + omittedFiles,
    addedLines: sum(changes.files, 'added'),
    removedLines: sum(changes.files, 'removed'),
    omittedFromDiff: fitting(omittedFromDiff.slice(0, filesMax), namesSizeMax),
    omittedFromDiffCount: omittedFromDiff.length,
    diffPieces: pieces.length,
  }
  return [{ type: 'CHANGES', data }, ...pieces]
}

/** As many from the beginning as have this size together. */
function fitting<Item>(items: readonly Item[], most: number): readonly Item[] {
  let size = 0
  const end = items.findIndex((item) => {
    size += JSON.stringify(item).length + 1
    return size > most
  })
  return end < 0 ? items : items.slice(0, end)
}

function sum(files: readonly ChangedFile[], field: 'added' | 'removed'): number {
  return files.reduce((total, file) => total + (file[field] ?? 0), 0)
}
