/** An operator action for an actor, and its preview. */
import { graphql, type ResultOf } from '../data/graphql.ts'

export const previewFragment = graphql(`fragment OperatorActionPreviewFields on OperatorActionPreview {
  sequence outcome problem { message } statusBefore statusAfter terminal
  timersSet { event afterMs } timersCanceled effects
  tells { id kind event outcome statusBefore statusAfter } moreTells queues { admits }
}`)

export type OperatorActionPreview = ResultOf<typeof previewFragment>

export const actionsQuery = graphql(
  `query ($id: ID!) { operatorActions(id: $id) { refusal actions {
    type label event state effectId requiredIds { name kinds } preview { ...OperatorActionPreviewFields }
  } } }`,
  [previewFragment],
)

export type OperatorAction = ResultOf<typeof actionsQuery>['operatorActions']['actions'][number]
