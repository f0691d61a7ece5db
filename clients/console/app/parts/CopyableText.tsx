/**
 * A text with a button that copies it. If the browser does not allow a page to copy, the text is selected, so that the user can copy
 * it.
 */
import { useRef, useState } from 'preact/hooks'
import { format, messages } from '../messages.ts'

const { copy: texts } = messages.parts

export function CopyableText({ what, text }: { readonly what: string; readonly text: string }) {
  const box = useRef<HTMLPreElement>(null)
  const [status, setStatus] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setStatus(texts.copied)
    } catch {
      if (box.current) getSelection()?.selectAllChildren(box.current)
      setStatus(texts.selected)
    }
  }
  return (
    <div class="copy">
      <pre ref={box} class="command">
        {text}
      </pre>
      <button type="button" class="quiet" aria-label={format(texts.copyWhat, { what })} onClick={() => void copy()}>
        {texts.copy}
      </button>
      <span class="hint" role="status">
        {status}
      </span>
    </div>
  )
}
