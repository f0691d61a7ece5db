import { type CommandVersion, commandMembers } from '../../../../machines/work/commandKeys.ts'
import { connectionOf, nestedPageArguments } from '../../../../spec/core/connections.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import { commandArguments, commandTemplate, commandVersion } from '../../../../spec/work/commands/commands.ts'
import { requesterBy } from '../../accounts/requester.ts'
import { pageOfList } from '../../core/computedConnection.ts'
import type { PageArguments } from '../../core/connections.ts'
import type { Additions, GraphqlObject, PartType, Relation, RelationContext } from '../../objectType.ts'
import type { TypedViews } from '../../typedViews.ts'

export const commandVersionType: PartType = {
  name: 'CommandVersion',
  schema: commandVersion,
  relations: {
    author: {
      ...requesterBy('authorId'),
      description: 'The user, API key or run that wrote the version. Null if the user was removed.',
    },
  },
}

/** @throws Error if the command has no such version, because no version is ever removed */
export async function readVersion(commandId: string, number: number, views: TypedViews): Promise<CommandVersion> {
  const [member] = await views.members(commandId, commandMembers.version(number), 1)
  if (member === undefined) throw new Error(`${commandId} has no version ${number}`)
  return member.value as CommandVersion
}

const readLast = async (parents: readonly GraphqlObject[], views: TypedViews) =>
  await Promise.all(parents.map(({ id, version }) => readVersion(String(id), Number(version), views)))

/** The parts of the present content that lists leave out. */
export const presentContent = {
  template: {
    type: 'derived',
    output: commandTemplate,
    nullable: false,
    description: 'The task for a coding CLI, or the shell command.',
    load: async (parents, { views }) => (await readLast(parents, views)).map(({ template }) => template),
  },
  arguments: {
    type: 'derived',
    output: commandArguments,
    nullable: false,
    description: 'The arguments that a call can give.',
    load: async (parents, { views }) => (await readLast(parents, views)).map((version) => version.arguments),
  },
} as const satisfies Additions

/** Only the versions of the page are read. */
export const versionsOfCommand = {
  type: 'derived',
  output: connectionOf('CommandVersion', commandVersion),
  arguments: nestedPageArguments,
  nullable: false,
  description: 'The versions of the content, newest first.',
  load: async (parents: readonly GraphqlObject[], { views }: RelationContext, args: PageArguments) =>
    await Promise.all(
      parents.map(async ({ id, version }) => {
        const numbers = Array.from({ length: Number(version) }, (_, index) => Number(version) - index)
        const page = pageOfList(numbers, args, String)
        const nodes = await Promise.all(
          page.nodes.map(async (number) => toOutput(number, await readVersion(String(id), number, views))),
        )
        return { ...page, nodes, edges: page.edges.map((edge, index) => ({ ...edge, node: nodes[index] })) }
      }),
    ),
} as const satisfies Relation & { readonly description: string; readonly nullable: boolean }

function toOutput(version: number, { author, at, ...content }: CommandVersion) {
  return { version, ...content, authorId: author, createdAt: toDateTime(at) }
}
