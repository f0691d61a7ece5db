/** Keys that work in every view, unless the user writes text or a dialog is open. `g` and another key open a view. */
import { useEffect } from 'preact/hooks'

/** Milliseconds within which the second key follows `g`. */
const sequenceMs = 1_500

export interface Shortcuts {
  /** The actions by key: `c`, `?`, or `g r` for two keys. */
  readonly [keys: string]: () => void
}

export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    let goPressedAt = Number.NEGATIVE_INFINITY
    const handleKey = (event: KeyboardEvent) => {
      const isModified = event.ctrlKey || event.metaKey || event.altKey || event.repeat
      if (isModified || event.defaultPrevented || isWriting(event.target)) return
      if (document.querySelector('dialog[open]') !== null) return
      const isSecond = event.timeStamp - goPressedAt < sequenceMs
      goPressedAt = event.key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY
      const perform = shortcuts[isSecond ? `g ${event.key}` : event.key]
      if (perform === undefined) return
      event.preventDefault()
      perform()
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [])
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
}
