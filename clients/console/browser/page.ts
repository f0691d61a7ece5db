/** Finds the elements of a page for its scripts. */

export function getElement<E extends Element>(selector: string, kind: new () => E): E {
  return findElement(selector, kind) ?? throwMissing(selector)
}

export function findElement<E extends Element>(selector: string, kind: new () => E): E | undefined {
  const found = document.querySelector(selector)
  return found instanceof kind ? found : undefined
}

function throwMissing(selector: string): never {
  throw new Error(`The page has no element ${selector}.`)
}

/** Returns the data that the server wrote into the page for the script. */
export function readPageData<F>(): F {
  return JSON.parse(getElement('#page-data', HTMLScriptElement).text)
}

/** The state of the form, as the picture beside it shows it: waiting, in progress, done, or stopped. */
export type FormState = 'caution' | 'busy' | 'clear' | 'stop'

export function showFormState(now: FormState): void {
  document.body.dataset.signal = now
}

/** Shows an error message in a live region for screen readers. An empty text removes it. */
export function showMessage(text: string): void {
  getElement('#message', HTMLElement).textContent = text
}

/** Reloads a page that the browser restored from its cache, because it may show a user who has signed out. */
export function reloadWhenRestored(): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}
