/** One frame: its function and place in the source, and on demand all that is known of it. */
import { useState } from 'preact/hooks'
import { format, messages } from '../../messages.ts'
import { Fact } from '../../parts/Fact.tsx'
import { ForeignText } from '../../parts/ForeignText.tsx'
import type { CrashFrame } from './threadQueries.ts'

const { frame: texts } = messages.crashReports

interface FrameRowProps {
  readonly frame: CrashFrame
  /** The position in the thread, from 0. */
  readonly number: number
}

export function FrameRow({ frame, number }: FrameRowProps) {
  const [isOpen, setOpen] = useState(false)
  const { imageName, address, symbol } = frame
  const location = formatLocation(frame)
  return (
    <li class="frame">
      <span class="frame-number">{number}</span>
      <span class="frame-image">{imageName === null ? texts.noImage : <ForeignText text={imageName} />}</span>
      <span class="frame-call">
        {symbol === null ? (
          <span class="hint">{texts.noSymbol}</span>
        ) : (
          <code class="frame-symbol">
            <ForeignText text={symbol} isCode />
          </code>
        )}
        {location !== undefined && (
          <span class="frame-location">
            <ForeignText text={location} isCode />
          </span>
        )}
      </span>
      <button
        type="button"
        class="frame-address"
        aria-expanded={isOpen}
        aria-label={`${address}: ${format(texts.details, { number: String(number) })}`}
        onClick={() => setOpen(!isOpen)}
      >
        {address}
      </button>
      {isOpen && <FrameDetails frame={frame} />}
    </li>
  )
}

function FrameDetails({ frame: { symbol, file, line, imageUuid, address } }: { readonly frame: CrashFrame }) {
  return (
    <dl class="facts frame-details">
      {symbol !== null && (
        <Fact name={texts.symbol}>
          <code>
            <ForeignText text={symbol} isCode />
          </code>
        </Fact>
      )}
      {file !== null && (
        <Fact name={texts.file}>
          <code>
            <ForeignText text={line === null ? file : `${file}:${line}`} isCode />
          </code>
        </Fact>
      )}
      {imageUuid !== null && (
        <Fact name={texts.imageUuid}>
          <code class="uuid">{imageUuid}</code>
        </Fact>
      )}
      <Fact name={texts.address}>
        <code>{address}</code>
      </Fact>
    </dl>
  )
}

/** The name of the source file and the line, without the folders of the machine that built the app. */
function formatLocation({ file, line }: CrashFrame): string | undefined {
  if (file === null) return undefined
  const name = file.split(/[/\\]/).at(-1) ?? file
  return line === null ? name : `${name}:${line}`
}
