/** The threads of a crash report. The one that crashed is open, and each of the others is one line until the user opens it. */
import { useState } from 'preact/hooks'
import type { ResultOf } from '../../data/graphql.ts'
import { useOnChange } from '../../data/useOnChange.ts'
import { usePagedConnection } from '../../data/usePagedList.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ForeignText } from '../../parts/ForeignText.tsx'
import { ShowMore } from '../../parts/lists/ShowMore.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { CrashedFrames, ThreadFrames } from './FrameList.tsx'
import { type CrashFrame, crashedThreadQuery, threadsQuery } from './threadQueries.ts'

const { threads: texts, frame: frameTexts } = messages.crashReports

interface ThreadsProps {
  readonly id: string
  readonly symbolState: string
}

/** All parts are requested at the same time. In sequence, the parts of a large report would take three times as long. */
export function ReportThreads({ id, symbolState }: ThreadsProps) {
  const { data, error } = useQuery(crashedThreadQuery, { id })
  const crashed = data && (data.crashReport?.crashedThread ?? null)
  if (data?.crashReport?.threads.totalCount === 0) return <p class="message">{texts.lost}</p>
  return (
    <>
      <section class="crashed-thread" aria-labelledby="crashed-thread">
        <h2 id="crashed-thread">{texts.crashed}</h2>
        {error && <ErrorMessage error={error} retriesAutomatically />}
        {crashed === null && <p class="hint">{texts.unknownCrashed}</p>}
        {crashed && (
          <p class="thread-line">
            <ThreadName thread={crashed} />
          </p>
        )}
        {crashed !== null && <CrashedFrames id={id} symbolState={symbolState} />}
      </section>
      <OtherThreads id={id} symbolState={symbolState} crashed={crashed} />
    </>
  )
}

interface ThreadItem {
  readonly number: number
  readonly name: string | null
  readonly crashed: boolean
  readonly frameCount: number
  readonly top: CrashFrame | undefined
  readonly cursor: string
}

function getThreads({ crashReport }: ResultOf<typeof threadsQuery>) {
  if (crashReport === null) return undefined
  const { edges, ...page } = crashReport.threads
  const toItem = ({ cursor, node: { frames, ...thread } }: (typeof edges)[number]): ThreadItem => ({
    ...thread,
    top: frames.nodes[0],
    cursor,
  })
  return { ...page, nodes: edges.map(toItem) }
}

interface OtherThreadsProps extends ThreadsProps {
  /** The thread that is shown above the others. Null if there is none. Undefined until it is loaded. */
  readonly crashed: Pick<ThreadItem, 'number'> | null | undefined
}

function OtherThreads({ id, symbolState, crashed }: OtherThreadsProps) {
  const list = usePagedConnection(threadsQuery, getThreads, { id }, ({ cursor }) => cursor)
  useOnChange(symbolState, list.refreshAll)
  const { items, error } = list
  if (error && items === undefined) return <ErrorMessage error={error} retriesAutomatically />
  if (items === undefined || crashed === undefined) return <Loading />
  const threads = items.map((thread, index) => ({ thread, previous: items[index - 1]?.cursor ?? null }))
  const others = threads.filter(({ thread }) => thread.number !== crashed?.number)
  if (others.length === 0 && !list.hasMore) return null
  return (
    <section class="other-threads" aria-labelledby="other-threads">
      <h2 id="other-threads">{crashed === null ? texts.all : texts.others}</h2>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {others.map(({ thread, previous }) => (
        <FoldedThread key={thread.cursor} id={id} thread={thread} previous={previous} symbolState={symbolState} />
      ))}
      <ShowMore shown={items.length} list={list} />
    </section>
  )
}

interface FoldedThreadProps extends ThreadsProps {
  readonly thread: ThreadItem
  /** The cursor of the thread before. Null for the first one. */
  readonly previous: string | null
}

function FoldedThread({ id, thread, previous, symbolState }: FoldedThreadProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="thread" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="thread-line">
        <ThreadName thread={thread} />
        {thread.top && (
          <span class="thread-top">
            <ForeignText text={thread.top.symbol ?? describeAddress(thread.top)} isCode />
          </span>
        )}
      </summary>
      {isOpen && <ThreadFrames id={id} previous={previous} symbolState={symbolState} />}
    </details>
  )
}

function ThreadName({ thread }: { readonly thread: Pick<ThreadItem, 'number' | 'name' | 'crashed' | 'frameCount'> }) {
  return (
    <>
      <strong>{format(texts.thread, { number: String(thread.number) })}</strong>
      {thread.name !== null && (
        <span class="thread-name">
          <ForeignText text={thread.name} />
        </span>
      )}
      <span class="hint">{format(texts.frameCount, { count: thread.frameCount })}</span>
    </>
  )
}

function describeAddress({ imageName, address }: CrashFrame): string {
  return `${imageName ?? frameTexts.noImage} ${address}`
}
