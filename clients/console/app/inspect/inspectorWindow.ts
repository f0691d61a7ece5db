/**
 * The window of an inspector for the package, restricted to one address. By default the package sends its data to any page that the
 * window has by then, accepts the connect message from any sender, and never removes its listener.
 */
export interface InspectorWindow {
  /** The parts of a window that the package uses. */
  readonly own: Window
  /** Undefined if the browser has not opened it. */
  readonly opened: { readonly closed: boolean } | undefined
  stopListening(): void
}

/** The message with which an inspector connects. */
const connected = '@statelyai.connected'

/** @param answered called when the inspector's page is connected */
export function inspectorWindow(address: URL, answered: () => void): InspectorWindow {
  const listening = new AbortController()
  let opened: Window | undefined
  const heard = ({ source, origin, data }: MessageEvent) => {
    const from = opened !== undefined && source === opened && origin === address.origin
    return from && (data as { readonly type?: unknown } | null)?.type === connected
  }
  const own: Pick<Window, 'open'> & { addEventListener(type: 'message', hear: (event: MessageEvent) => void): void } = {
    open(url, name) {
      opened = open(url, name) ?? undefined
      return { postMessage: (data: unknown) => opened?.postMessage(data, address.origin) } as Window
    },
    addEventListener(type, hear) {
      const listen = (event: MessageEvent) => {
        if (!heard(event)) return
        hear(event)
        answered()
      }
      addEventListener(type, listen, { signal: listening.signal })
    },
  }
  return {
    own: own as Window,
    get opened() {
      return opened
    },
    stopListening: () => listening.abort(),
  }
}
