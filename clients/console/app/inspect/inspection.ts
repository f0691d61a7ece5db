/** Sends an actor to an inspector in a window of this browser. The module is loaded on demand. */
import { createBrowserInspector } from '@statelyai/inspect'
import { startTelling, type Telling } from '../../../inspect/telling.ts'
import { Refusal } from '../data/ask.ts'
import { inspectorWindow } from './inspectorWindow.ts'

export interface Inspection {
  readonly tell: Telling['tell']
  stop(): void
}

/** No event reports that another window was closed. */
const lookEveryMs = 1_000

/**
 * Opens the window, so it must be called while the browser handles a click of the user.
 * @throws Refusal
 */
export function openInspection(id: string, address: URL, answered: () => void, closed: () => void): Inspection {
  const seen = inspectorWindow(address, answered)
  const { tell, inspector } = startTelling(id, (options) =>
    createBrowserInspector({ ...options, url: address.href, window: seen.own }),
  )
  const { opened } = seen
  if (opened === undefined) {
    seen.stopListening()
    throw new Refusal(
      'NOT_OPENED',
      'The browser did not open the window. Allow this site to open windows, and try again.',
    )
  }
  const looking = setInterval(() => {
    if (opened.closed) closed()
  }, lookEveryMs)
  return {
    tell,
    stop() {
      clearInterval(looking)
      inspector.stop()
      seen.stopListening()
    },
  }
}
