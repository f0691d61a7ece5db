/** Renders changes at most once a frame. */
export function frames(show: () => void): { readonly soon: () => void; readonly stop: () => void } {
  let frame = 0
  return {
    soon: () => {
      if (frame !== 0) return
      frame = requestAnimationFrame(() => {
        frame = 0
        show()
      })
    },
    stop: () => cancelAnimationFrame(frame),
  }
}
