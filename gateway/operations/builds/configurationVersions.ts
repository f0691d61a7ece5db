import {
  type BuildConfigurationVersion,
  buildConfigurationMembers,
} from '../../../machines/builds/buildConfigurationKeys.ts'
import { buildConfigurationContent, buildConfigurationVersion } from '../../../spec/builds/buildConfigurations.ts'
import type { BuildConfigurationContent } from '../../../spec/builds/configurationContent.ts'
import { connectionOf, nestedPageArguments } from '../../../spec/core/connections.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { requesterBy } from '../accounts/requester.ts'
import { pageOfList } from '../core/computedConnection.ts'
import type { PageArguments } from '../core/connections.ts'
import type { Additions, GraphqlObject, PartType, Relation, RelationContext } from '../objectType.ts'
import type { TypedViews } from '../typedViews.ts'

export const buildConfigurationVersionType: PartType = {
  name: 'BuildConfigurationVersion',
  schema: buildConfigurationVersion,
  relations: {
    author: {
      ...requesterBy('authorId'),
      description: 'The user, API key or run that wrote the version. Null if the user was removed.',
    },
  },
}

/** @throws Error if the configuration has no such version, because no version is ever removed */
export async function readConfigurationVersion(
  id: string,
  number: number,
  views: Pick<TypedViews, 'members'>,
): Promise<BuildConfigurationVersion> {
  const [member] = await views.members(id, buildConfigurationMembers.version(number), 1)
  if (member === undefined) throw new Error(`${id} has no version ${number}`)
  return member.value as BuildConfigurationVersion
}

/** The content without its name and description. */
export function toContentOutput(content: BuildConfigurationContent) {
  const { steps, environment, artifacts, artifactRetentionDays, requirements, timeoutSeconds } = content
  return {
    steps: [...steps],
    environment: [...environment],
    artifacts: [...artifacts],
    artifactRetentionDays,
    destinations: (content.destinations ?? []).map((destination) => ({ ...destination })),
    coverageReports: (content.coverageReports ?? []).map(({ format, pattern }) => ({ format, pattern })),
    signingAssetIds: [...(content.signingAssets ?? [])],
    signingForRuns: content.signingForRuns ?? false,
    onPush: content.onPush ? { ...content.onPush, branches: [...content.onPush.branches] } : null,
    requirements: {
      platforms: [...requirements.platforms],
      architectures: [...requirements.architectures],
      tools: [...requirements.tools],
      tags: [...(requirements.tags ?? [])],
    },
    timeoutSeconds,
  }
}

/** The content that lists leave out. */
export const presentConfiguration = {
  content: {
    type: 'derived',
    output: buildConfigurationContent,
    nullable: false,
    description: 'The steps of the configuration, and their conditions.',
    load: async (parents, { views }) =>
      await Promise.all(
        parents.map(async ({ id, version }) =>
          toContentOutput(await readConfigurationVersion(String(id), Number(version), views)),
        ),
      ),
  },
} as const satisfies Additions

/** Only the versions of the page are read. */
export const versionsOfConfiguration = {
  type: 'derived',
  output: connectionOf('BuildConfigurationVersion', buildConfigurationVersion),
  arguments: nestedPageArguments,
  nullable: false,
  description: 'The versions of the content, newest first.',
  load: async (parents: readonly GraphqlObject[], { views }: RelationContext, args: PageArguments) =>
    await Promise.all(
      parents.map(async ({ id, version }) => {
        const numbers = Array.from({ length: Number(version) }, (_, index) => Number(version) - index)
        const page = pageOfList(numbers, args, String)
        const nodes = await Promise.all(
          page.nodes.map(async (number) => toOutput(number, await readConfigurationVersion(String(id), number, views))),
        )
        return { ...page, nodes, edges: page.edges.map((edge, index) => ({ ...edge, node: nodes[index] })) }
      }),
    ),
} as const satisfies Relation & { readonly description: string; readonly nullable: boolean }

function toOutput(version: number, stored: BuildConfigurationVersion) {
  const { name, description, author, at } = stored
  return {
    version,
    name,
    description,
    content: toContentOutput(stored),
    authorId: author,
    createdAt: toDateTime(at),
  }
}
