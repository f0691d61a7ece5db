/** The frames of a thread, the innermost first, 100 at a time. */
import { useOnChange } from '../../data/useOnChange.ts'
import { type PagedList, usePagedConnection } from '../../data/usePagedList.ts'
import { messages } from '../../messages.ts'
import { ShowMore } from '../../parts/lists/ShowMore.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { FrameRow } from './FrameRow.tsx'
import { crashedFramesQuery, type FrameItem, threadFramesQuery, toFramePage } from './threadQueries.ts'

const { threads: texts } = messages.crashReports

const getId = ({ cursor }: FrameItem): string => cursor

interface FramesProps {
  readonly id: string
  readonly symbolState: string
}

/** The frames of the thread that crashed. */
export function CrashedFrames({ id, symbolState }: FramesProps) {
  const list = usePagedConnection(
    crashedFramesQuery,
    ({ crashReport }) => toFramePage(crashReport?.crashedThread?.frames),
    { id },
    getId,
  )
  useOnChange(symbolState, list.refreshAll)
  return <Frames list={list} />
}

interface ThreadFramesProps extends FramesProps {
  /** The cursor of the thread before. Null for the first one. */
  readonly previous: string | null
}

export function ThreadFrames({ id, previous, symbolState }: ThreadFramesProps) {
  const list = usePagedConnection(
    threadFramesQuery,
    ({ crashReport }) => toFramePage(crashReport?.threads.nodes[0]?.frames),
    { id, previousThread: previous },
    getId,
  )
  useOnChange(symbolState, list.refreshAll)
  return <Frames list={list} />
}

function Frames({ list }: { readonly list: PagedList<FrameItem> }) {
  const { items, error } = list
  if (items === undefined) return error ? <ErrorMessage error={error} retriesAutomatically /> : <Loading />
  if (items.length === 0) return <p class="hint">{texts.noFrames}</p>
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      <ol class="frames">
        {items.map((frame, index) => (
          <FrameRow key={frame.cursor} frame={frame} number={index} />
        ))}
      </ol>
      <ShowMore shown={items.length} list={list} />
    </>
  )
}
