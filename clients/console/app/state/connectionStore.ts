/** The connection for live updates. */
import { createStore } from '@xstate/store'

interface ConnectionContext {
  readonly status: 'connecting' | 'live' | 'reconnecting'
  /** How often updates may have been missed. A response from before the last time may be out of date. */
  readonly resyncCount: number
  /** The time at which the connection was lost. Milliseconds since 1970 */
  readonly lostAt?: number | undefined
}

const initial: ConnectionContext = { status: 'connecting', resyncCount: 0 }

export const connectionStore = createStore({
  context: initial,
  on: {
    connected: ({ status, resyncCount }): ConnectionContext => ({
      status: 'live',
      resyncCount: status === 'reconnecting' ? resyncCount + 1 : resyncCount,
      lostAt: undefined,
    }),
    disconnected: (context, { at }: { at: number }): ConnectionContext => ({
      ...context,
      status: 'reconnecting',
      lostAt: context.lostAt ?? at,
    }),
    updatesMissed: (context): ConnectionContext => ({ ...context, resyncCount: context.resyncCount + 1 }),
  },
})
