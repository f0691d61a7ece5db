/** Whether there is room for a row beside the rail. */
import { signal } from '@preact/signals'

const like = matchMedia('(width < 78rem)')
const narrow = signal(like.matches)
like.addEventListener('change', ({ matches }) => {
  narrow.value = matches
})

export function useNarrow(): boolean {
  return narrow.value
}

/** Pixels: it grows with the screen, and with what the person has set. */
export function textSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
