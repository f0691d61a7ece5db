/** One operator action on several actors. */
import { graphql, type ResultOf } from '../data/graphql.ts'
import { previewFragment } from './operatorAction.ts'
import type { OperatorActionTarget } from './operatorActionInput.ts'

export const actionsQuery = graphql(
  'query ($id: ID!) { operatorActions(id: $id) { actions { type label event state effectId requiredIds { name kinds } } } }',
)

export const previewQuery = graphql(
  `query ($targets: [OperatorActionTarget!]!) {
    previewOperatorAction(targets: $targets) { id ...OperatorActionPreviewFields }
  }`,
  [previewFragment],
)

export const performMutation = graphql(`mutation ($input: PerformOperatorActionsInput!) {
  performOperatorActions(input: $input) { results { id done code message } }
}`)

export type BulkAction = ResultOf<typeof actionsQuery>['operatorActions']['actions'][number]

export interface BulkPreview {
  readonly action: BulkAction
  readonly targets: readonly OperatorActionTarget[]
  readonly previews: ResultOf<typeof previewQuery>['previewOperatorAction']
}

export type ActionResult = ResultOf<typeof performMutation>['performOperatorActions']['results'][number]
