/** The output of a run as it arrives: at its end until the reader scrolls, with a search, a selected line, and groups to fold. */
import { useState } from 'preact/hooks'
import { format, formatNumber, messages } from '../../messages.ts'
import { VirtualList } from '../../parts/lists/VirtualList.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { LogRow } from './LogRow.tsx'
import { LogSearchField } from './LogSearchField.tsx'
import { SelectedLine } from './SelectedLine.tsx'
import { useFolding } from './useFolding.ts'
import { useLog } from './useLog.ts'
import { useLogAddress } from './useLogAddress.ts'

const { log: texts } = messages.run
const rowHeight = 20

interface LogViewProps {
  readonly jobId: string
  /** The moment that is shown, in milliseconds since 1970. Undefined for the present. */
  readonly at?: number | undefined
}

export function LogView({ jobId, at }: LogViewProps) {
  const log = useLog(jobId, at)
  const { count, ended, isBeginningDeleted, locatedLine, groups, matches, error, pages, search, download } = log
  const [showsTimes, setShowsTimes] = useState(false)
  const { line: selected, select } = useLogAddress()
  const marked = selected ?? (matches.searchText === '' ? locatedLine : matches.lines[0])
  const folding = useFolding(groups, count, marked)
  const { visible } = folding
  const selectedLine = selected === undefined || selected >= count ? undefined : pages.at(selected)
  return (
    <section class="log" aria-labelledby="log">
      <div class="heading-row">
        <h2 id="log">
          {texts.title} <span class="count">{formatNumber(count)}</span>
        </h2>
        <LogSearchField matches={matches} count={count} search={search} />
        <span class="log-tools">
          {groups.length > 0 && (
            <button type="button" class="quiet" aria-pressed={folding.isAllFolded} onClick={folding.toggleAll}>
              {texts.foldGroups}
            </button>
          )}
          <button
            type="button"
            class="quiet"
            aria-pressed={showsTimes}
            onClick={() => setShowsTimes(!showsTimes)}
            disabled={count === 0}
          >
            {texts.times}
          </button>
          <button type="button" class="quiet" onClick={download} disabled={count === 0}>
            {texts.download}
          </button>
        </span>
      </div>
      {error && <ErrorMessage error={error} />}
      {selected !== undefined && selected >= count && ended && (
        <p class="hint">{format(texts.noSuchLine, { number: formatNumber(selected + 1) })}</p>
      )}
      {selected !== undefined && selectedLine && (
        <SelectedLine line={selectedLine} index={selected} onClose={() => select(undefined)} />
      )}
      {isBeginningDeleted && <p class="hint">{count === 0 && ended ? texts.deleted : texts.beginningDeleted}</p>}
      {count === 0 ? (
        !isBeginningDeleted && <p class="hint">{ended ? texts.empty : texts.waiting}</p>
      ) : (
        <div class={showsTimes ? 'log-lines with-times' : 'log-lines'}>
          <VirtualList
            label={texts.lines}
            count={visible.count}
            rowHeight={rowHeight}
            followsEnd={marked === undefined && matches.searchText === ''}
            // A line that has not arrived yet is a target later.
            targetRow={marked !== undefined && marked < count ? visible.rowOf(marked) : undefined}
            getKey={(row) => visible.lineAt(row)}
            renderRow={(row) => {
              const index = visible.lineAt(row)
              const group = folding.groupAt(index)
              return (
                <LogRow
                  line={pages.at(index)}
                  index={index}
                  isMarked={index === marked}
                  showsTime={showsTimes}
                  group={group}
                  isFolded={folding.isFolded(index)}
                  onSelect={() => select(index === selected ? undefined : index)}
                  onFold={() => folding.toggle(index)}
                />
              )
            }}
          />
        </div>
      )}
    </section>
  )
}
