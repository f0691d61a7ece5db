/** Publishes the draft of a workflow. */
import { graphql } from '../../data/graphql.ts'

export const publishMutation = graphql(
  'mutation ($input: PublishWorkflowInput!) { publishWorkflow(input: $input) { workflow { id } } }',
)
