import type * as v from 'valibot'
import { type SkillVersion, skillMembers } from '../../../../machines/work/skillKeys.ts'
import { connectionOf, nestedPageArguments } from '../../../../spec/core/connections.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import type { SkillArchiveFile } from '../../../../spec/work/skills/skillArchive.ts'
import {
  type skillContentSchema,
  skillFiles,
  skillVersion,
  skillVersionSchema,
} from '../../../../spec/work/skills/skills.ts'
import type { SkillFileEntry } from '../../../../spec/work/skills/skillVersion.ts'
import { requesterBy } from '../../accounts/requester.ts'
import { pageOfList } from '../../core/computedConnection.ts'
import type { PageArguments } from '../../core/connections.ts'
import { requireRow } from '../../core/rows.ts'
import { handle } from '../../handler.ts'
import type { Additions, GraphqlObject, PartType, Relation, RelationContext } from '../../objectType.ts'
import type { TypedViews } from '../../typedViews.ts'
import { readContent } from './storeContent.ts'
import { touchSkill } from './touchSkill.ts'

const author = {
  ...requesterBy('authorId'),
  description: 'The user, API key or run that wrote the version. Null if the user was removed.',
} as const

export const skillVersionTypes: readonly PartType[] = [
  { name: 'SkillVersion', schema: skillVersionSchema, relations: { author } },
]

export async function findVersion(
  skillId: string,
  number: number,
  views: TypedViews,
): Promise<SkillVersion | undefined> {
  const [member] = await views.members(skillId, skillMembers.version(number), 1)
  return member?.value as SkillVersion | undefined
}

/** @throws Error if the skill has no such version, because no version is ever removed */
async function readVersion(skillId: string, number: number, views: TypedViews): Promise<SkillVersion> {
  const version = await findVersion(skillId, number, views)
  if (version === undefined) throw new Error(`${skillId} has no version ${number}`)
  return version
}

/** The part of the present content that lists leave out. */
export const presentFiles = {
  files: {
    type: 'derived',
    output: skillFiles,
    nullable: false,
    description: 'The files of the newest version.',
    load: async (parents, { views }) =>
      await Promise.all(
        parents.map(async ({ id, version }) => (await readVersion(String(id), Number(version), views)).files),
      ),
  },
} as const satisfies Additions

/** Only the versions of the page are read. */
export const versionsOfSkill = {
  type: 'derived',
  output: connectionOf('SkillVersion', skillVersionSchema),
  arguments: nestedPageArguments,
  nullable: false,
  description: 'The versions of the content, newest first.',
  load: async (parents: readonly GraphqlObject[], { views }: RelationContext, args: PageArguments) =>
    await Promise.all(
      parents.map(async ({ id, version }) => {
        const numbers = Array.from({ length: Number(version) }, (_, index) => Number(version) - index)
        const page = pageOfList(numbers, args, String)
        const nodes = await Promise.all(
          page.nodes.map(async (number) => {
            const found = await readVersion(String(id), number, views)
            return { ...toOutput(number, found), files: found.files }
          }),
        )
        return { ...page, nodes, edges: page.edges.map((edge, index) => ({ ...edge, node: nodes[index] })) }
      }),
    ),
} as const satisfies Relation & { readonly description: string; readonly nullable: boolean }

function toOutput(version: number, { name, description, sha256, size, author: authorId, at }: SkillVersion) {
  return { version, name, description, sha256, size, authorId, createdAt: toDateTime(at) }
}

type WholeFile = v.InferInput<typeof skillContentSchema>['files'][number]

function toWhole({ path, size, sha256, executable }: SkillFileEntry, { bytes }: SkillArchiveFile): WholeFile {
  const text = decode(bytes)
  const base64 = text === null ? Buffer.from(bytes).toString('base64') : null
  return { path, size, sha256, executable, text, base64 }
}

/** A byte order mark is part of the text, so that an upload of the text gives the same bytes. */
function decode(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

export const skillVersionHandlers = [
  handle(skillVersion, ['views', 'contents'], {
    touches: touchSkill,
    read: async ({ skillId, version: asked }, context) => {
      const number = asked ?? (await requireRow(context.views, 'skill', skillId)).context.revision
      const found = await findVersion(skillId, number, context.views)
      if (found === undefined) return null
      const bytes = new Map((await readContent(found, context)).map((file) => [file.path, file]))
      const files = found.files.flatMap((entry) => {
        const file = bytes.get(entry.path)
        return file === undefined ? [] : [toWhole(entry, file)]
      })
      return { skillId, ...toOutput(number, found), files }
    },
  }),
]
