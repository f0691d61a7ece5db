/** A key that does something in every view, unless the user writes text or a dialog is open. */
import { useEffect } from 'preact/hooks'

export function useShortcut(key: string, perform: () => void): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const isModified = event.ctrlKey || event.metaKey || event.altKey || event.repeat
      if (event.key !== key || isModified || event.defaultPrevented || isWriting(event.target)) return
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      perform()
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [key])
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
}
