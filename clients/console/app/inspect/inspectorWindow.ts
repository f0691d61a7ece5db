/**
 * The window of an inspector, as the package uses it, held to one address. By itself the package gives what it has to whichever page
 * stands in that window by then, takes anybody's word that the inspector is there, and never stops listening.
 */
export interface InspectorWindow {
  /** As much of a window as the package asks for. */
  readonly own: Window
  /** Undefined where the browser has not opened it. */
  readonly opened: { readonly closed: boolean } | undefined
  stopListening(): void
}

/** The word of an inspector that it is there. */
const connected = '@statelyai.connected'

/** @param answered the inspector's page is there and listens */
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
