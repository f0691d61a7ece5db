/** A job's log from its reader: the number of lines, the visible lines, and the matches of a search. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { facts } from '../../../browser/page.ts'
import type { ConsoleFacts } from '../../../pages/facts.ts'
import { Refusal } from '../../data/ask.ts'
import { type Found, nothingFound, withReport } from './found.ts'
import type { Report, Request } from './messages.ts'
import { Pages } from './pages.ts'

export interface LogState {
  readonly count: number
  readonly ended: boolean
  readonly found: Found
  readonly refusal: Refusal | undefined
  readonly pages: Pages
  search(words: string): void
}

export function useLog(jobId: string): LogState {
  const [grown, setGrown] = useState({ count: 0, ended: false })
  const [found, setFound] = useState(nothingFound)
  const [refusal, setRefusal] = useState<Refusal>()
  const [, setTurn] = useState(0)
  const reader = useRef<Worker>(undefined)
  const send = (request: Request) => reader.current?.postMessage(request)
  const pages = useMemo(() => new Pages((from, to) => send({ type: 'read', from, to })), [jobId])
  useEffect(() => {
    const worker = new Worker(facts<ConsoleFacts>().logReader, { type: 'module' })
    reader.current = worker
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
      if (data.type === 'grown') {
        pages.outdate(data.changedFrom)
        setGrown({ count: data.count, ended: data.ended })
      } else if (data.type === 'lines') {
        pages.put(data.from, data.lines)
        setTurn((before) => before + 1)
      } else if (data.type === 'found') setFound((before) => withReport(before, data))
      else setRefusal(new Refusal(data.refusal.code, data.refusal.message, data.refusal))
    })
    worker.addEventListener('error', () =>
      setRefusal(new Refusal('INTERNAL', 'The reader of the log did not start. Load the page again.')),
    )
    send({ type: 'follow', jobId })
    return () => worker.terminate()
  }, [jobId])
  const search = (words: string) => {
    setFound({ ...nothingFound, words, done: words === '' })
    send({ type: 'search', words })
  }
  return { ...grown, found, refusal, pages, search }
}
