/** The user's marks of the items that they have seen. All pages of the user show the same marks. */
import { graphql } from '../data/graphql.ts'

export const markSeenMutation = graphql(
  'mutation ($input: MarkActionCenterItemsSeenInput!) { markActionCenterItemsSeen(input: $input) { unseenCount } }',
)
export const markAllSeenMutation = graphql('mutation { markAllActionCenterItemsSeen(input: {}) { unseenCount } }')
/** Reports a change of the marks, also by another page of the user. */
export const seenSubscription = graphql('subscription { actionCenterSeenChanged { revision } }')
