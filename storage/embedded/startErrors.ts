import { StartError } from '../database/startError.ts'

/**
 * Converts PostgreSQL's output into one sentence. The lines are its standard error, oldest first.
 * @param exists false if initdb was still creating the folder, so that nothing can be damaged
 */
export function toStartError(lines: readonly string[], folder: string, exists: boolean): StartError {
  const errorLines = lines.filter((line) => /\b(FATAL|PANIC|error|ERROR)\b/.test(line))
  const summary = (errorLines.length > 0 ? errorLines : lines).slice(-3).join(' | ') || 'it printed nothing'
  const known = causes.find(({ sign }) => lines.some((line) => sign.test(line)))
  if (known !== undefined) return new StartError(known.sentence(folder, summary))
  return new StartError(
    exists
      ? `PostgreSQL could not start on ${folder} (${summary}): if the cause is not clear, restore the folder from a backup, or move it away to begin empty.`
      : `PostgreSQL could not make its database in ${folder} (${summary}): correct that, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
  )
}

/** Converts an error of one of our own file operations. Returns undefined for an unknown error. */
export function toFileStartError(error: unknown, folder: string): StartError | undefined {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StartError(noSpace(folder), { cause: error })
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    const why = code === 'EROFS' ? 'lies on a read-only file system' : `can't be written by ${whoAmI()}`
    return new StartError(
      `The data folder ${folder} ${why}: change that, or set DATA_DIR to a folder that can be written.`,
      {
        cause: error,
      },
    )
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new StartError(`The data folder ${folder} is not a folder: set DATA_DIR to one.`, { cause: error })
  }
  return undefined
}

export function whoAmI(): string {
  return `user ${process.geteuid?.() ?? 'unknown'}`
}

const noSpace = (folder: string): string =>
  `There is no space left on the disk that holds ${folder}: free some, or set DATA_DIR to a folder on another disk.`

const causes: readonly { sign: RegExp; sentence: (folder: string, output: string) => string }[] = [
  { sign: /No space left on device|Disk quota exceeded|wrote only \d+ of \d+ bytes/, sentence: noSpace },
  {
    sign: /could not (map anonymous|create) shared memory|Cannot allocate memory/,
    sentence: (_, output) =>
      `There is not enough memory for PostgreSQL (${output}): free some, or lower shared_buffers.`,
  },
  {
    sign: /unrecognized configuration parameter|invalid value for parameter|outside the valid range/,
    sentence: (_, output) => `PostgreSQL refuses one of its parameters (${output}): correct it.`,
  },
  {
    sign: /Permission denied/,
    sentence: (folder, output) =>
      `PostgreSQL may not use ${folder} (${output}): give ${whoAmI()} its files back, or set DATA_DIR to another folder.`,
  },
]
