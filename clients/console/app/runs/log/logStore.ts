/** The reports of a log's reader. */
import { createStore } from '@xstate/store'
import { ApiError } from '../../data/apiError.ts'
import type { LogGroup } from './logGroups.ts'
import type { ReaderReport } from './readerMessages.ts'
import { addMatches, noMatches, type SearchMatches } from './searchMatches.ts'

type Report<Type extends ReaderReport['type']> = Extract<ReaderReport, { type: Type }>

interface LogContext {
  /** The number of lines. */
  readonly count: number
  readonly ended: boolean
  /** Whether the retention has deleted the beginning of the log, or all of it. */
  readonly isBeginningDeleted: boolean
  /** The last line at the moment that is shown. Undefined for the present. */
  readonly locatedLine: number | undefined
  readonly groups: readonly LogGroup[]
  readonly matches: SearchMatches
  readonly error: ApiError | undefined
  /** How often lines have arrived. */
  readonly readCount: number
}

const initial: LogContext = {
  count: 0,
  ended: false,
  isBeginningDeleted: false,
  locatedLine: undefined,
  groups: [],
  matches: noMatches,
  error: undefined,
  readCount: 0,
}

export function createLogStore() {
  return createStore({
    context: initial,
    on: {
      grown: (context, { count, ended, isBeginningDeleted, locatedLine, groups }: Report<'grown'>): LogContext => ({
        ...context,
        count,
        ended,
        isBeginningDeleted,
        locatedLine,
        groups: groups ?? context.groups,
      }),
      linesRead: (context): LogContext => ({ ...context, readCount: context.readCount + 1 }),
      searchStarted: (context, { searchText }: { searchText: string }): LogContext => ({
        ...context,
        matches: { ...noMatches, searchText, done: searchText === '' },
      }),
      matchesFound: (context, { report }: { report: Report<'found'> }): LogContext => ({
        ...context,
        matches: addMatches(context.matches, report),
      }),
      failed: (context, { error }: Pick<Report<'failed'>, 'error'>): LogContext => ({
        ...context,
        error: new ApiError(error.code, error.message, error),
      }),
    },
  })
}
