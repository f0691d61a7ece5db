/**
 * A text with a button that copies it. If the browser does not allow a page to copy, the text is selected, so that the user can copy
 * it.
 */
import { useRef, useState } from 'preact/hooks'

export function Copy({ what, text }: { readonly what: string; readonly text: string }) {
  const box = useRef<HTMLPreElement>(null)
  const [done, setDone] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone('Copied')
    } catch {
      if (box.current) getSelection()?.selectAllChildren(box.current)
      setDone('Marked')
    }
  }
  return (
    <div class="copy">
      <pre ref={box} class="command">
        {text}
      </pre>
      <button type="button" class="quiet" aria-label={`Copy ${what}`} onClick={() => void copy()}>
        Copy
      </button>
      <span class="hint" role="status">
        {done}
      </span>
    </div>
  )
}
