/** Finds the elements of a page for its scripts. */

export function part<E extends Element>(selector: string, kind: new () => E): E {
  return perhaps(selector, kind) ?? fail(selector)
}

export function perhaps<E extends Element>(selector: string, kind: new () => E): E | undefined {
  const found = document.querySelector(selector)
  return found instanceof kind ? found : undefined
}

function fail(selector: string): never {
  throw new Error(`the page has no ${selector}`)
}

/** Returns the data that the server wrote into the page for the script. */
export function facts<F>(): F {
  return JSON.parse(part('#facts', HTMLScriptElement).text)
}

/** The state of the form, as the signal shows it: waiting, in progress, done, or stopped. */
export type Signal = 'caution' | 'busy' | 'clear' | 'stop'

export function signal(now: Signal): void {
  document.body.dataset.signal = now
}

/** Shows an error message in a live region for screen readers. An empty text removes it. */
export function say(text: string): void {
  part('#message', HTMLElement).textContent = text
}

/** Reloads a page that the browser restored from its cache, because it may show a user who has signed out. */
export function neverFromMemory(): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}
