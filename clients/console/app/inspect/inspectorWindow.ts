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
const connectMessage = '@statelyai.connected'

/** @param onConnected called when the inspector's page is connected */
export function createInspectorWindow(address: URL, onConnected: () => void): InspectorWindow {
  const listening = new AbortController()
  let opened: Window | undefined
  const isConnectMessage = ({ source, origin, data }: MessageEvent) => {
    const isFromInspector = opened !== undefined && source === opened && origin === address.origin
    return isFromInspector && (data as { readonly type?: unknown } | null)?.type === connectMessage
  }
  const own: Pick<Window, 'open'> & { addEventListener(type: 'message', handle: (event: MessageEvent) => void): void } =
    {
      open(url, name) {
        opened = open(url, name) ?? undefined
        return { postMessage: (data: unknown) => opened?.postMessage(data, address.origin) } as Window
      },
      addEventListener(type, handle) {
        const listen = (event: MessageEvent) => {
          if (!isConnectMessage(event)) return
          handle(event)
          onConnected()
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
