/** A job's log from its reader: the number of lines, the visible lines, and the matches of a search. */
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { readPageData } from '../../../browser/page.ts'
import type { ConsolePageData } from '../../../pages/pageData.ts'
import type { ApiError } from '../../data/apiError.ts'
import { messages } from '../../messages.ts'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { LinePages } from './linePages.ts'
import { createLogStore } from './logStore.ts'
import type { ReaderReport, ReaderRequest } from './readerMessages.ts'
import type { SearchMatches } from './searchMatches.ts'

export interface LogState {
  readonly count: number
  readonly ended: boolean
  /** The last line at the moment that is shown. Undefined for the present. */
  readonly locatedLine: number | undefined
  readonly matches: SearchMatches
  readonly error: ApiError | undefined
  readonly pages: LinePages
  search(searchText: string): void
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
  const send = (request: ReaderRequest) => reader.current?.postMessage(request)
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
      else trigger.failed(data)
    })
    worker.addEventListener('error', () => trigger.failed({ error: notStarted }))
    send({ type: 'follow', jobId })
    return () => worker.terminate()
  }, [jobId])
  useEffect(() => send({ type: 'locate', at }), [jobId, at])
  const search = (searchText: string) => {
    trigger.searchStarted({ searchText })
    send({ type: 'search', searchText })
  }
  return { ...context, pages, search }
}
