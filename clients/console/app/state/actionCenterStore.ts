/** The last report of the Action Center. */
import { createStore } from '@xstate/store'
import { graphql, type ResultOf } from '../data/graphql.ts'

export const actionCenterSubscription = graphql('subscription { actionCenterChanged { totalCount critical high } }')

type ActionCenterCounts = ResultOf<typeof actionCenterSubscription>['actionCenterChanged']

interface ActionCenterContext {
  /** Undefined until the first report. */
  readonly counts: ActionCenterCounts | undefined
  /** The number of reports. The items may change while their counts stay the same. */
  readonly changeCount: number
}

const initial: ActionCenterContext = { counts: undefined, changeCount: 0 }

export const actionCenterStore = createStore({
  context: initial,
  on: {
    changed: ({ changeCount }, { counts }: { counts: ActionCenterCounts }): ActionCenterContext => ({
      counts,
      changeCount: changeCount + 1,
    }),
  },
})
