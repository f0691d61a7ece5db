import type * as v from 'valibot'
import type { TypedRow } from '../../../../machines/rows.ts'
import type { ActorEvent } from '../../../../spec/core/actor.ts'
import { principalName } from '../../../../spec/core/principal.ts'
import { expecting } from '../../../../spec/core/revision.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import { checkSkill } from '../../../../spec/work/skills/checkSkill.ts'
import {
  archiveSkill,
  createSkill,
  skill,
  skillByName,
  skillSchema,
  skills,
  unarchiveSkill,
  updateSkill,
} from '../../../../spec/work/skills/skills.ts'
import { pageOfRows } from '../../core/connections.ts'
import { oneRow } from '../../core/oneRow.ts'
import { oneMessage, requireKind } from '../../core/replies.ts'
import { requireRow } from '../../core/rows.ts'
import { handle } from '../../handler.ts'
import type { ObjectType } from '../../objectType.ts'
import type { RequestContext } from '../../requestContext.ts'
import { touchRepository } from '../../tools/touched.ts'
import { findSkillByName, refuseFurtherSkill, refuseTakenSkill } from './findSkill.ts'
import { agentsOfSkill } from './skillAgents.ts'
import { presentFiles, versionsOfSkill } from './skillVersions.ts'
import { storeContent } from './storeContent.ts'
import { touchSkill } from './touchSkill.ts'

export const skillType: ObjectType<'skill', typeof skillSchema> = {
  name: 'Skill',
  kind: 'skill',
  schema: skillSchema,
  relations: {
    ...presentFiles,
    versions: versionsOfSkill,
    agents: agentsOfSkill,
    repository: {
      type: 'one',
      target: 'Repository',
      by: 'repositoryId',
      nullable: true,
      description: 'The logical repository that the skill is for. Null: it is for all repositories.',
    },
  },
  fromRow: (row) => {
    const { name, description, revision, sha256, size, fileCount, updatedAt } = row.context
    return {
      ...{ id: row.id, name, description, revision, version: revision, sha256, size, fileCount },
      status: row.columns.status as v.InferOutput<typeof skillSchema>['status'],
      repositoryId: row.init.repositoryId,
      createdAt: toDateTime(row.createdAt),
      updatedAt: toDateTime(updatedAt),
    }
  },
}

const toPayload = (row: TypedRow<'skill'>, context: RequestContext<'presence'>) => ({
  skill: skillType.fromRow(row, context),
})

const toSkill = (id: string, event: ActorEvent, context: RequestContext<'presence'>) =>
  oneMessage({ to: { kind: 'skill', id }, event }, (row) => toPayload(row, context))

export const skillHandlers = [
  handle(skills, ['views', 'presence'], {
    touches: ({ repositoryId }) => touchRepository(repositoryId),
    read: ({ statuses, repositoryId, ...page }, context) =>
      pageOfRows(
        context.views,
        {
          kind: 'skill',
          ...(repositoryId ? { where: { scopeId: repositoryId } } : {}),
          statuses: statuses ?? ['ACTIVE'],
        },
        page,
        (row) => skillType.fromRow(row, context),
      ),
  }),
  handle(skill, ['views', 'presence'], {
    touches: async ({ id }, { views }) => touchRepository((await views.get('skill', id))?.init.repositoryId),
    additions: presentFiles,
    read: oneRow(skillType),
  }),
  handle(skillByName, ['views', 'presence'], {
    touches: ({ repositoryId }) => touchRepository(repositoryId),
    additions: presentFiles,
    read: async ({ name, repositoryId }, context) => {
      const row = await findSkillByName(name, repositoryId ?? null, context.views)
      return row === undefined ? null : skillType.fromRow(row, context)
    },
  }),
  handle(createSkill, ['views', 'presence', 'ids', 'contentStore'], {
    touches: ({ repositoryId }) => touchRepository(repositoryId),
    repeat: { message: 0, answer: ({ row }, context) => toPayload(requireKind('skill', row), context) },
    translate: async ({ repositoryId = null, idempotencyKey: _, ...input }, context) => {
      const { views, ids, principal, now } = context
      const checked = checkSkill(input)
      if (repositoryId !== null) await requireRow(views, 'repository', repositoryId)
      await refuseTakenSkill(checked.name, repositoryId, views)
      await refuseFurtherSkill(repositoryId, views)
      const content = await storeContent(checked, context)
      const create = { repositoryId, content, createdBy: principalName(principal), createdAt: now }
      const to = { kind: 'skill', id: ids.newId('skill') } as const
      return oneMessage({ to, event: { type: 'create' }, create }, (row) => toPayload(row, context))
    },
  }),
  handle(updateSkill, ['views', 'presence', 'ids', 'contentStore'], {
    touches: touchSkill,
    translate: async ({ skillId, expectedRevision, ...input }, context) => {
      const checked = checkSkill(input)
      const { init, columns } = await requireRow(context.views, 'skill', skillId)
      if (columns.status === 'ACTIVE') await refuseTakenSkill(checked.name, init.repositoryId, context.views, skillId)
      const content = await storeContent(checked, context)
      const author = principalName(context.principal)
      return toSkill(skillId, { type: 'update', content, author, ...expecting(expectedRevision) }, context)
    },
  }),
  handle(archiveSkill, ['views', 'presence'], {
    touches: touchSkill,
    translate: async ({ skillId }, context) => {
      await requireRow(context.views, 'skill', skillId)
      return toSkill(skillId, { type: 'archive' }, context)
    },
  }),
  handle(unarchiveSkill, ['views', 'presence'], {
    touches: touchSkill,
    translate: async ({ skillId }, context) => {
      const { init, context: present, columns } = await requireRow(context.views, 'skill', skillId)
      if (columns.status !== 'ACTIVE') {
        await refuseTakenSkill(present.name, init.repositoryId, context.views, skillId)
        await refuseFurtherSkill(init.repositoryId, context.views)
      }
      return toSkill(skillId, { type: 'unarchive' }, context)
    },
  }),
]
