/** The changed files of a run with their lines, and its commits. */
import { useMemo, useState } from 'preact/hooks'
import { hasImageName } from '../../../../../spec/worktrees/imageFormat.ts'
import type { ResultOf } from '../../data/graphql.ts'
import { ImageDiff } from '../../imageDiffs/ImageDiff.tsx'
import type { ChangedImage } from '../../imageDiffs/imageRequests.ts'
import { format, formatParts, messages } from '../../messages.ts'
import { formatName } from '../../parts/formatName.ts'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import type { changesQuery } from './changesQuery.ts'
import { FileLines } from './FileLines.tsx'
import { type Hunk, parseChanges } from './parseChanges.ts'

const { changes: texts } = messages.run

type RunChanges = NonNullable<ResultOf<typeof changesQuery>['runChanges']>
type ChangedFile = RunChanges['files'][number]

/** A file with more changed lines is folded at first. */
const maxOpenLines = 300
/** Further files are folded at first, however small they are. */
const maxOpenFiles = 20

interface ChangedFilesProps {
  readonly changes: RunChanges
  readonly worktree: { readonly id: string; readonly branch: string | null }
}

export function ChangedFiles({ changes, worktree }: ChangedFilesProps) {
  const { branch } = worktree
  const { files, fileCount, addedLines, removedLines, commit, problem, isShared, omittedFromDiff } = changes
  const hunks = useMemo(() => readHunks(changes.diff), [changes.diff])
  const [isSideBySide, setIsSideBySide] = useState(false)
  return (
    <>
      {problem && <p class="message">{problem}</p>}
      {isShared && <p class="note">{texts.shared}</p>}
      <div class="heading-row changes-summary">
        <p>
          {format(texts.files, { count: fileCount })} <LineCounts added={addedLines} removed={removedLines} />{' '}
          <span class="hint">
            {branch && formatParts(texts.branch, { branch: <code>{branch}</code> })}
            {branch && ' · '}
            {formatParts(texts.since, { commit: <code>{commit.slice(0, 10)}</code> })}
          </span>
        </p>
        {files.length > 0 && (
          <label class="side-by-side">
            <input
              type="checkbox"
              checked={isSideBySide}
              onChange={({ currentTarget }) => setIsSideBySide(currentTarget.checked)}
            />{' '}
            {texts.sideBySide}
          </label>
        )}
      </div>
      {files.length === 0 && !problem && <p>{texts.none}</p>}
      <Commits changes={changes} />
      {files.map((file, index) => (
        <File
          key={file.path}
          file={file}
          hunks={hunks?.get(file.path)}
          image={isShownImage(file) ? { ...file, worktreeId: worktree.id, base: commit } : undefined}
          lastCommit={changes.commits[0]?.sha}
          isOmitted={omittedFromDiff.includes(file.path)}
          isSideBySide={isSideBySide}
          isOpenAtFirst={index < maxOpenFiles && (file.addedLines ?? 0) + (file.removedLines ?? 0) <= maxOpenLines}
        />
      ))}
      {fileCount > files.length && (
        <p class="hint">{format(messages.parts.firstOf, { shown: files.length, total: fileCount })}</p>
      )}
    </>
  )
}

function isShownImage({ path, content }: ChangedFile): boolean {
  return content === 'BINARY' && hasImageName(path)
}

/** Undefined if the diff cannot be parsed. Then the files are listed without their lines. */
function readHunks(diff: string): ReadonlyMap<string, readonly Hunk[]> | undefined {
  try {
    return parseChanges(diff)
  } catch {
    return undefined
  }
}

function LineCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span class="line-counts">
      <span data-type="ADDED">+{added}</span> <span data-type="REMOVED">−{removed}</span>
    </span>
  )
}

function Commits({ changes: { commits, commitCount } }: { readonly changes: RunChanges }) {
  if (commitCount === 0) return null
  return (
    <details class="disclosure">
      <summary>{format(texts.commits, { count: commitCount })}</summary>
      <ul>
        {commits.map(({ sha, author, authoredAt, subject }) => (
          <li key={sha}>
            <code>{sha.slice(0, 10)}</code> {subject}{' '}
            <span class="hint">
              {author} {authoredAt && <RelativeTime at={authoredAt} />}
            </span>
          </li>
        ))}
      </ul>
      {commitCount > commits.length && (
        <p class="hint">{format(messages.parts.firstOf, { shown: commits.length, total: commitCount })}</p>
      )}
    </details>
  )
}

interface FileProps {
  readonly file: ChangedFile
  /** Undefined if the file is not in the diff. */
  readonly hunks: readonly Hunk[] | undefined
  /** Undefined if the file is not an image. */
  readonly image: ChangedImage | undefined
  /** Undefined if the run made no commit. */
  readonly lastCommit: string | undefined
  /** Whether the diff would be too large with the file. */
  readonly isOmitted: boolean
  readonly isSideBySide: boolean
  readonly isOpenAtFirst: boolean
}

function File({ file, hunks, image, lastCommit, isOmitted, isSideBySide, isOpenAtFirst }: FileProps) {
  const { path, oldPath, status, content, addedLines, removedLines } = file
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  return (
    <details class="changed-file" open={isOpenAtFirst} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <span class="path">{oldPath === null ? path : `${oldPath} → ${path}`}</span>
        <span class="hint">{formatName(status)}</span>
        {content === 'TEXT' && <LineCounts added={addedLines ?? 0} removed={removedLines ?? 0} />}
      </summary>
      {isOpen &&
        (image ? (
          <ImageDiff image={image} lastCommit={lastCommit} />
        ) : hunks && hunks.length > 0 ? (
          <FileLines path={path} hunks={hunks} isSideBySide={isSideBySide} />
        ) : (
          <p class="hint">{content !== 'TEXT' ? texts.contents[content] : isOmitted ? texts.omitted : texts.noLines}</p>
        ))}
    </details>
  )
}
