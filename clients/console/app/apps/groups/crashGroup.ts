/** The query and the mutations of the page of a group of crash reports. */
import { graphql, type ResultOf } from '../../data/graphql.ts'

export const groupQuery = graphql(`query ($id: ID!) {
  crashGroup(id: $id) {
    id status title exceptionType frames { imageName symbol address } reportCount firstCrashAt lastCrashAt app { id name }
    days { date reportCount }
  }
}`)

export const acknowledgeMutation = graphql(
  'mutation ($id: ID!) { acknowledgeCrashGroup(input: { crashGroupId: $id }) { crashGroup { id } } }',
)
export const resolveMutation = graphql(
  'mutation ($id: ID!) { resolveCrashGroup(input: { crashGroupId: $id }) { crashGroup { id } } }',
)

export type CrashGroup = NonNullable<ResultOf<typeof groupQuery>['crashGroup']>
