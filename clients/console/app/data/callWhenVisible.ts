/** Calls back after some time. If the page is hidden then, it waits until the page is visible. @returns a function that cancels it */
export function callWhenVisible(ms: number, callback: () => void): () => void {
  const callIfVisible = () => {
    if (!document.hidden) callback()
    else document.addEventListener('visibilitychange', callIfVisible, { once: true })
  }
  const timer = setTimeout(callIfVisible, ms)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', callIfVisible)
  }
}
