/** The text of server-sent events. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html */

export interface ServerSentEvent {
  /** The ID with which a client continues after this event. Omitted: the ID of the event before stays. */
  readonly id?: string
  /** Omitted: `message`. */
  readonly event?: string
  /** Sent as JSON, which has no line ends. */
  readonly data: unknown
}

/** Clients ignore it. With it, proxies do not close a connection because it is idle. */
export const keepAliveComment = ':\n\n'

/** @param ms the time after which a client reconnects */
export function retryText(ms: number): string {
  return `retry: ${ms}\n\n`
}

export function eventText({ id, event, data }: ServerSentEvent): string {
  const head = (id === undefined ? '' : `id: ${id}\n`) + (event === undefined ? '' : `event: ${event}\n`)
  return `${head}data: ${JSON.stringify(data)}\n\n`
}
