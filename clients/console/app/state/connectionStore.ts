/** The connection for live updates. */
import { createStore } from '@xstate/store'

interface ConnectionContext {
  readonly status: 'connecting' | 'live' | 'reconnecting'
  /** How often updates may have been missed. A response that is older than the last increase may be out of date. */
  readonly resyncCount: number
  /** The time of the first failure since the last connection, milliseconds since 1970. */
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
