import { type PublishedVersion, publishedVersionsMax, workflowMembers } from '../../../../machines/work/workflowKeys.ts'
import { connectionOf, nestedPageArguments } from '../../../../spec/core/connections.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import { readDefinition } from '../../../../spec/work/workflows/storedDefinition.ts'
import { workflowVersion } from '../../../../spec/work/workflows/workflows.ts'
import { requesterBy } from '../../accounts/requester.ts'
import { pageOfList } from '../../core/computedConnection.ts'
import type { PageArguments } from '../../core/connections.ts'
import type { GraphqlObject, PartType, Relation, RelationContext } from '../../objectType.ts'
import type { TypedViews } from '../../typedViews.ts'

export const workflowVersionType: PartType = {
  name: 'WorkflowVersion',
  schema: workflowVersion,
  relations: {
    publishedBy: {
      ...requesterBy('publishedById'),
      description: 'The user, API key or run that published it. Null if the user was removed.',
    },
  },
}

async function readVersion(workflowId: string, version: number, views: TypedViews) {
  const [member] = await views.members(workflowId, workflowMembers.version(version), 1)
  if (member === undefined) return undefined
  const { definition, by, at } = member.value as PublishedVersion
  return { version, definition: readDefinition(definition), publishedById: by, publishedAt: toDateTime(at) }
}

/** The numbers of the versions that can be kept, newest first. */
const numbersFrom = (version: number): readonly number[] =>
  Array.from({ length: Math.min(version, publishedVersionsMax) }, (_, index) => version - index)

/** Only the versions of the page are read. */
export const versionsOfWorkflow = {
  type: 'derived',
  output: connectionOf('WorkflowVersion', workflowVersion),
  arguments: nestedPageArguments,
  nullable: false,
  description: 'The published versions, newest first. The latest 100 are kept.',
  load: async (parents: readonly GraphqlObject[], { views }: RelationContext, args: PageArguments) =>
    await Promise.all(
      parents.map(async ({ id, version }) => {
        const page = pageOfList(numbersFrom(Number(version)), args, String)
        const read = await Promise.all(page.nodes.map((number) => readVersion(String(id), number, views)))
        const kept = page.edges.flatMap((edge, index) =>
          read[index] === undefined ? [] : [{ ...edge, node: read[index] }],
        )
        return { ...page, nodes: kept.map(({ node }) => node), edges: kept }
      }),
    ),
} as const satisfies Relation & { readonly description: string; readonly nullable: boolean }
