/** Whether the window is too narrow for a row beside the navigation. */
import { signal } from '@preact/signals'

const like = matchMedia('(width < 78rem)')
const narrow = signal(like.matches)
like.addEventListener('change', ({ matches }) => {
  narrow.value = matches
})

export function useNarrow(): boolean {
  return narrow.value
}

/** In pixels. It depends on the screen and on the user's settings. */
export function textSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
