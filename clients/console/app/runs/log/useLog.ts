/** A job's log from its reader: the number of lines, the visible lines, and the matches of a search. */
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { readPageData } from '../../../browser/page.ts'
import type { ConsolePageData } from '../../../pages/pageData.ts'
import type { ApiError } from '../../data/apiError.ts'
import { messages } from '../../messages.ts'
import { downloadFile } from '../../parts/downloadFile.ts'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { LinePages } from './linePages.ts'
import type { LogGroup } from './logGroups.ts'
import { createLogStore } from './logStore.ts'
import type { ReaderReport, ReaderRequest } from './readerMessages.ts'
import type { SearchMatches } from './searchMatches.ts'

export interface LogState {
  readonly count: number
  readonly ended: boolean
  /** Whether the retention has deleted the beginning of the log, or all of it. */
  readonly isBeginningDeleted: boolean
  /** The last line at the moment that is shown. Undefined for the present. */
  readonly locatedLine: number | undefined
  readonly groups: readonly LogGroup[]
  readonly matches: SearchMatches
  readonly error: ApiError | undefined
  readonly pages: LinePages
  search(searchText: string): void
  /** Downloads what has arrived as a text file. */
  download(): void
}

const notStarted = {
  code: 'INTERNAL',
  message: messages.run.log.readerFailed,
  retryable: false,
  requestId: '',
} as const

/** @param at the moment that is shown, in milliseconds since 1970. Undefined for the present */
export function useLog(jobId: string, at: number | undefined): LogState {
  const [context, { trigger }] = useLocalStore(createLogStore)
  const reader = useRef<Worker>(undefined)
  /** Requests from before the reader was started. */
  const waiting = useRef<ReaderRequest[]>([])
  const send = (request: ReaderRequest) => {
    if (reader.current) reader.current.postMessage(request)
    else waiting.current.push(request)
  }
  const pages = useMemo(() => new LinePages((from, to) => send({ type: 'read', from, to })), [jobId])
  useEffect(() => {
    const worker = new Worker(readPageData<ConsolePageData>().logReader, { type: 'module' })
    reader.current = worker
    worker.addEventListener('message', ({ data }: MessageEvent<ReaderReport>) => {
      if (data.type === 'grown') {
        pages.markOutdated(data.changedFrom)
        trigger.grown(data)
      } else if (data.type === 'lines') {
        pages.put(data.from, data.lines)
        trigger.linesRead()
      } else if (data.type === 'found') trigger.matchesFound({ report: data })
      else if (data.type === 'file') downloadFile(`${jobId}.log`, 'text/plain', data.file)
      else trigger.failed(data)
    })
    worker.addEventListener('error', () => trigger.failed({ error: notStarted }))
    send({ type: 'follow', jobId })
    for (const request of waiting.current.splice(0)) send(request)
    return () => worker.terminate()
  }, [jobId])
  useEffect(() => send({ type: 'locate', at }), [jobId, at])
  const search = (searchText: string) => {
    trigger.searchStarted({ searchText })
    send({ type: 'search', searchText })
  }
  return { ...context, pages, search, download: () => send({ type: 'download' }) }
}
