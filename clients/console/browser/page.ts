/** The parts of a page that its scripts need. */

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

/** What the server told the script. */
export function facts<F>(): F {
  return JSON.parse(part('#facts', HTMLScriptElement).text)
}

/** How the form stands, as the signal shows it: waiting for you, under way, done, or stopped. */
export type Signal = 'caution' | 'busy' | 'clear' | 'stop'

export function signal(now: Signal): void {
  document.body.dataset.signal = now
}

/** What went wrong, where it is read out. An empty text takes it away. */
export function say(text: string): void {
  part('#message', HTMLElement).textContent = text
}

/** A page that the browser kept from before may show who is signed in no more: it is asked for anew. */
export function neverFromMemory(): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}
