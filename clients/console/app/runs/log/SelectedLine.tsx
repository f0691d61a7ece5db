/** The selected line of a log: its whole text in as many rows as it needs, its time, and its address to copy. */
import { format, formatNumber, messages } from '../../messages.ts'
import { CopyableText } from '../../parts/CopyableText.tsx'
import { formatExactTime } from '../../parts/RelativeTime.tsx'
import type { LogLine } from './logLines.ts'
import { stripAnsi } from './parseAnsi.ts'
import { getLineAddress } from './useLogAddress.ts'

const { log: texts } = messages.run

interface SelectedLineProps {
  readonly line: LogLine
  /** From 0. */
  readonly index: number
  onClose(): void
}

export function SelectedLine({ line, index, onClose }: SelectedLineProps) {
  const title = format(texts.selectedLine, { number: formatNumber(index + 1) })
  return (
    <section class="selected-line" aria-label={title}>
      <div class="heading-row">
        <strong>{title}</strong>
        <span class="hint">
          {texts.streams[line.stream]}
          {line.at !== undefined && ` · ${formatExactTime(line.at)}`}
        </span>
        <button type="button" class="quiet" aria-label={texts.closeLine} onClick={onClose}>
          ×
        </button>
      </div>
      <CopyableText what={texts.lineText} text={stripAnsi(line.text)} />
      <CopyableText what={texts.lineLink} text={new URL(getLineAddress(index), location.href).href} />
      {line.omitted > 0 && <p class="hint">{format(texts.omitted, { count: line.omitted })}</p>}
    </section>
  )
}
