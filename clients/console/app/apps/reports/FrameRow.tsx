/** One frame: its function and place in the source, and on demand all that is known of it. */
import { useState } from 'preact/hooks'
import { format, messages } from '../../messages.ts'
import { CopyableText } from '../../parts/CopyableText.tsx'
import { Fact } from '../../parts/Fact.tsx'
import { ForeignText } from '../../parts/ForeignText.tsx'
import { formatLocation, formatPath } from './frameText.ts'
import type { CrashFrame } from './threadQueries.ts'

const { frame: texts } = messages.crashReports

interface FrameRowProps {
  readonly frame: CrashFrame
  /** The position in the thread, from 0. */
  readonly number: number
}

export function FrameRow({ frame, number }: FrameRowProps) {
  const [isOpen, setOpen] = useState(false)
  const { imageName, isSystem, isInlined, address, symbol } = frame
  const location = formatLocation(frame)
  return (
    <li class="frame" data-is-system={isSystem} data-is-inlined={isInlined}>
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
        {(isInlined || location !== undefined) && (
          <span class="frame-location">
            {isInlined && <span class="frame-inlined">{texts.inlined}</span>}
            {location !== undefined && <ForeignText text={location} isCode />}
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

function FrameDetails({ frame }: { readonly frame: CrashFrame }) {
  const { symbol, rawSymbol, offset, imageUuid, isSystem, isInlined, address } = frame
  const path = formatPath(frame)
  return (
    <div class="frame-details">
      {isInlined && <p class="hint">{texts.inlinedInto}</p>}
      {isSystem && <p class="hint">{texts.system}</p>}
      <dl class="facts">
        {symbol !== null && (
          <Fact name={texts.symbol}>
            <code>
              <ForeignText text={symbol} isCode />
            </code>
          </Fact>
        )}
        {path !== undefined && (
          <Fact name={texts.file}>
            <code>
              <ForeignText text={path} isCode />
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
        {offset !== null && <Fact name={texts.offset}>{format(texts.offsetBytes, { count: offset })}</Fact>}
      </dl>
      {rawSymbol !== null && (
        <>
          <p>{texts.rawSymbol}</p>
          <CopyableText what={texts.rawSymbol} text={rawSymbol} />
        </>
      )}
    </div>
  )
}
