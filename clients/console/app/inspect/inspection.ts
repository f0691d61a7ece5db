/** Sends an actor to an inspector in a window of this browser. The module is loaded on demand. */
import { createBrowserInspector } from '@statelyai/inspect'
import { type InspectedActor, openInspectedActor } from '../../../inspect/inspectedActor.ts'
import { ApiError } from '../data/apiError.ts'
import { messages } from '../messages.ts'
import { createInspectorWindow } from './inspectorWindow.ts'

export interface Inspection {
  readonly send: InspectedActor['send']
  stop(): void
}

/** No event reports that another window was closed. */
const checkEveryMs = 1_000

/**
 * Opens the window, so it must be called while the browser handles a click of the user.
 * @throws ApiError
 */
export function openInspection(id: string, address: URL, onConnected: () => void, onClosed: () => void): Inspection {
  const inspectorWindow = createInspectorWindow(address, onConnected)
  const { send, inspector } = openInspectedActor(id, (options) =>
    createBrowserInspector({ ...options, url: address.href, window: inspectorWindow.own }),
  )
  const { opened } = inspectorWindow
  if (opened === undefined) {
    inspectorWindow.stopListening()
    throw new ApiError('NOT_OPENED', messages.inspect.notOpened)
  }
  const checkTimer = setInterval(() => {
    if (opened.closed) onClosed()
  }, checkEveryMs)
  return {
    send,
    stop() {
      clearInterval(checkTimer)
      inspector.stop()
      inspectorWindow.stopListening()
    },
  }
}
