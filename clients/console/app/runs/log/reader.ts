/** The reader of a log, in a worker: it follows a job's output, stores it, and searches it. */
import { effect } from '@preact/signals'
import { follow, returns } from '../../data/live.ts'
import type { Chunk } from './chunk.ts'
import { type Line, Lines } from './lines.ts'
import type { Report, Request } from './messages.ts'
import { Search } from './search.ts'

const query = `subscription ($jobId: ID!, $after: Int) { jobLogChunkAdded(jobId: $jobId, afterSequence: $after) {
  sequence stream dataBase64
} }`

/** Milliseconds between two reports of growth. */
const pauseMs = 100
/** Milliseconds for which the search may delay requests. */
const sliceMs = 20

const lines = new Lines()
let search: Search | undefined
let words = ''
let searching = false
let telling = false

function tell(report: Report): void {
  postMessage(report)
}

function grown(): void {
  if (telling) return
  telling = true
  setTimeout(() => {
    telling = false
    tell({ type: 'grown', count: lines.count, changedFrom: lines.takeChanged(), ended: lines.ended })
    if (!searching) searchOn()
  }, pauseMs)
}

function followJob(jobId: string): void {
  let last = -1
  // Subscribes again after the last chunk each time that chunks may have been missed.
  effect(() => {
    returns.value
    return follow<{ jobLogChunkAdded: Chunk }>(
      query,
      { jobId, after: last },
      ({ jobLogChunkAdded: chunk }) => {
        if (chunk.sequence <= last) return
        last = chunk.sequence
        lines.add(chunk)
        grown()
      },
      ({ code, message, retryable, requestId }) =>
        tell({ type: 'refused', refusal: { code, message, retryable, requestId } }),
    )
  })
}

function searchOn(): void {
  searching = search !== undefined
  if (search === undefined) return
  const found: number[] = []
  for (const until = performance.now() + sliceMs; ; ) {
    found.push(...search.step())
    if (search.done || performance.now() > until) break
  }
  const { searched, done } = search
  tell({ type: 'found', words, lines: found, open: search.inOpen(), searched, done })
  searching = !done
  // Requests of the page come first.
  if (searching) setTimeout(searchOn)
}

function read(from: number, to: number): void {
  const all: Line[] = []
  for (let line = from; line < Math.min(to, lines.count); line++) all.push(lines.at(line) as Line)
  tell({ type: 'lines', from, lines: all })
}

addEventListener('message', ({ data }: MessageEvent<Request>) => {
  if (data.type === 'follow') followJob(data.jobId)
  else if (data.type === 'read') read(data.from, data.to)
  else {
    words = data.words
    search = words === '' ? undefined : new Search(lines, words)
    if (!searching) searchOn()
  }
})
