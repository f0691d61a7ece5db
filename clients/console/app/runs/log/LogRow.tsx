/** A line of a log: its number, which selects it, its time, and its text with colors and links. */
import { format, locale, messages } from '../../messages.ts'
import { endsGroup, type LogGroup } from './logGroups.ts'
import type { LogLine } from './logLines.ts'
import { parseAnsi, type StyledText, type TextStyle } from './parseAnsi.ts'
import { splitLinks } from './textLinks.ts'
import { getLineAddress } from './useLogAddress.ts'

const { log: texts } = messages.run
const timeFormat = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

interface LogRowProps {
  readonly line: LogLine | undefined
  /** From 0. */
  readonly index: number
  readonly isMarked: boolean
  readonly showsTime: boolean
  /** The group of which this line is the title. */
  readonly group: LogGroup | undefined
  readonly isFolded: boolean
  onSelect(): void
  onFold(): void
}

export function LogRow({ line, index, isMarked, showsTime, group, isFolded, onSelect, onFold }: LogRowProps) {
  const number = index + 1
  return (
    <div class={isMarked ? 'log-line marked' : 'log-line'} data-stream={line?.stream}>
      <a
        class="number"
        href={getLineAddress(index)}
        // A list of some dozen links would be some dozen stops. The search selects a line by keyboard.
        tabIndex={-1}
        title={texts.selectLine}
        onClick={(event) => {
          event.preventDefault()
          onSelect()
        }}
      >
        {number}
      </a>
      {showsTime && <span class="time">{line?.at === undefined ? '' : timeFormat.format(line.at)}</span>}
      {group ? <GroupTitle group={group} isFolded={isFolded} onFold={onFold} /> : <LineText line={line} />}
    </div>
  )
}

function GroupTitle({
  group: { title },
  isFolded,
  onFold,
}: Pick<LogRowProps, 'isFolded' | 'onFold'> & { readonly group: LogGroup }) {
  return (
    <button
      type="button"
      class="text log-group"
      aria-expanded={!isFolded}
      aria-label={format(isFolded ? texts.unfoldGroup : texts.foldGroup, { title })}
      onClick={onFold}
    >
      {isFolded ? '▸' : '▾'} {title}
    </button>
  )
}

function LineText({ line }: Pick<LogRowProps, 'line'>) {
  const text = line === undefined || endsGroup(line.text) ? '' : line.text
  return (
    <span class="text">
      {parseAnsi(text).texts.map((part, index) => (
        <LinePart key={index} {...part} />
      ))}
      {line && line.omitted > 0 && <em class="omitted"> {format(texts.omitted, { count: line.omitted })}</em>}
    </span>
  )
}

function LinePart({ text, style }: StyledText) {
  return (
    <span class={classNames(style)}>
      {splitLinks(text).map((part, index) =>
        part.isLink ? (
          <a key={index} href={part.text} rel="noopener noreferrer" target="_blank">
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </span>
  )
}

function classNames({ color, bold, dim, underline }: TextStyle): string | undefined {
  const names = [color !== undefined && `c${color}`, bold && 'bold', dim && 'dim', underline && 'underline'].filter(
    Boolean,
  )
  return names.length === 0 ? undefined : names.join(' ')
}
