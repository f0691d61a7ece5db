/** The last report of the user's notifications. */
import { createStore } from '@xstate/store'
import { graphql } from '../data/graphql.ts'

export const notificationsSubscription = graphql('subscription { notificationsChanged { unreadCount } }')

interface UnreadNotificationsContext {
  /** Undefined until the first report. */
  readonly unreadCount: number | undefined
  /** The number of reports. The notifications may change while their count stays the same. */
  readonly changeCount: number
}

const initial: UnreadNotificationsContext = { unreadCount: undefined, changeCount: 0 }

export const unreadNotificationsStore = createStore({
  context: initial,
  on: {
    changed: ({ changeCount }, { unreadCount }: { unreadCount: number }): UnreadNotificationsContext => ({
      unreadCount,
      changeCount: changeCount + 1,
    }),
  },
})
