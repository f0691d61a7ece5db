/** In pixels. It depends on the screen and on the user's settings. */
export function getTextSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
