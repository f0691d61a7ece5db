/** The reader of a log, in a worker: it follows a job's output, stores it, and searches it. */
import { subscribe } from '../../data/liveUpdates.ts'
import { connectionStore } from '../../state/connectionStore.ts'
import { chunksSubscription } from './logChunk.ts'
import { type LogLine, LogLines } from './logLines.ts'
import { LogSearch } from './logSearch.ts'
import type { ReaderReport, ReaderRequest } from './readerMessages.ts'

/** Milliseconds between two reports of growth. */
const pauseMs = 100
/** Milliseconds for which the search may delay requests. */
const sliceMs = 20

const lines = new LogLines()
let search: LogSearch | undefined
let searchText = ''
/** The time of the last `locate`. */
let locatedAt: number | undefined
/** Whether the retention has deleted the beginning of the log, or all of it. */
let isBeginningDeleted = false
let isSearching = false
let isReporting = false

function sendReport(report: ReaderReport): void {
  postMessage(report)
}

function reportGrowth(): void {
  if (isReporting) return
  isReporting = true
  setTimeout(() => {
    isReporting = false
    const locatedLine = locatedAt === undefined ? undefined : lines.moments.findLine(locatedAt)
    const { count, ended } = lines
    const groups = lines.groups.takeChanged()
    sendReport({
      type: 'grown',
      count,
      changedFrom: lines.takeChanged(),
      ended,
      isBeginningDeleted,
      locatedLine,
      groups,
    })
    if (!isSearching) continueSearch()
  }, pauseMs)
}

function followJob(jobId: string): void {
  let lastSequence = -1
  const subscribeAfterLast = () =>
    subscribe(
      chunksSubscription,
      { jobId, after: lastSequence },
      ({ jobLogChunkAdded: chunk }) => {
        if (chunk.sequence <= lastSequence) return
        if (lastSequence < 0 && chunk.sequence > 0) isBeginningDeleted = true
        lastSequence = chunk.sequence
        lines.add(chunk)
        reportGrowth()
      },
      ({ code, message, retryable, requestId }) =>
        sendReport({ type: 'failed', error: { code, message, retryable, requestId } }),
      () => {
        // A log that has ended has at least its end.
        if (lastSequence >= 0) return
        isBeginningDeleted = true
        lines.ended = true
        reportGrowth()
      },
    )
  let unsubscribe = subscribeAfterLast()
  // Subscribes again each time that chunks may have been missed.
  connectionStore
    .select(({ resyncCount }) => resyncCount)
    .subscribe(() => {
      unsubscribe()
      unsubscribe = subscribeAfterLast()
    })
}

function continueSearch(): void {
  isSearching = search !== undefined
  if (search === undefined) return
  const found: number[] = []
  for (const until = performance.now() + sliceMs; ; ) {
    found.push(...search.searchNext())
    if (search.done || performance.now() > until) break
  }
  const { searched, done } = search
  sendReport({ type: 'found', searchText, lines: found, open: search.matchOpenLines(), searched, done })
  isSearching = !done
  // Requests of the page come first.
  if (isSearching) setTimeout(continueSearch)
}

function reportLines(from: number, to: number): void {
  const requested: LogLine[] = []
  for (let line = from; line < Math.min(to, lines.count); line++) requested.push(lines.at(line) as LogLine)
  sendReport({ type: 'lines', from, lines: requested })
}

addEventListener('message', ({ data }: MessageEvent<ReaderRequest>) => {
  if (data.type === 'follow') followJob(data.jobId)
  else if (data.type === 'read') reportLines(data.from, data.to)
  else if (data.type === 'locate') {
    locatedAt = data.at
    reportGrowth()
  } else if (data.type === 'download') {
    // The browser may keep the parts on its disk. All of them as texts could be too much memory.
    const parts: Blob[] = []
    for (const text of lines.readText()) parts.push(new Blob([text]))
    sendReport({ type: 'file', file: new Blob(parts, { type: 'text/plain' }) })
  } else {
    searchText = data.searchText
    search = searchText === '' ? undefined : new LogSearch(lines, searchText)
    if (!isSearching) continueSearch()
  }
})
