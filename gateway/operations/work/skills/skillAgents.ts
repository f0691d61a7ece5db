import type * as v from 'valibot'
import { agentMembers } from '../../../../machines/agents/agentKeys.ts'
import type { HeldSkill } from '../../../../machines/agents/agentSkills.ts'
import { connectionOf, nestedPageArguments } from '../../../../spec/core/connections.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import { readPinnedSkills } from '../../../../spec/work/skills/runSkills.ts'
import { reportAgentSkills, skillAgentSchema } from '../../../../spec/work/skills/skillAgents.ts'
import { requireEpoch } from '../../agents/agentSession.ts'
import { type PageArguments, pageOfRows } from '../../core/connections.ts'
import { everyRow } from '../../core/everyRow.ts'
import { handle } from '../../handler.ts'
import type { GraphqlObject, PartType, Relation, RelationContext } from '../../objectType.ts'
import type { TypedViews } from '../../typedViews.ts'

export const skillAgentType: PartType = {
  name: 'SkillAgent',
  schema: skillAgentSchema,
  relations: {
    agent: { type: 'one', target: 'Agent', by: 'agentId', nullable: false, description: 'The agent.' },
  },
}

type SkillAgent = v.InferInput<typeof skillAgentSchema>

/** The newest version that is stored, and the newest problem. */
async function readSkillAgent(agentId: string, skillId: string, views: TypedViews): Promise<SkillAgent> {
  const [member] = await views.members(agentId, agentMembers.skill.toKey(skillId), 1)
  const versions = (member?.value ?? []) as readonly HeldSkill[]
  const stored = versions.findLast(({ problem }) => problem === null)
  const last = versions.at(-1)
  return {
    agentId,
    version: stored?.version ?? null,
    sha256: stored?.sha256 ?? null,
    syncedAt: stored === undefined ? null : toDateTime(stored.since),
    problem: last?.problem ?? null,
  }
}

/** All agents that are not revoked, so that one without the skill is seen too. Only those of the page are read. */
export const agentsOfSkill = {
  type: 'derived',
  output: connectionOf('SkillAgent', skillAgentSchema),
  arguments: nestedPageArguments,
  nullable: false,
  description: 'All agents that are not revoked, newest first, each with the version of the skill that it has stored.',
  load: async (parents: readonly GraphqlObject[], { views }: RelationContext, args: PageArguments) => {
    const page = await pageOfRows(views, { kind: 'agent', terminal: false }, args, ({ id }) => id)
    return await Promise.all(
      parents.map(async ({ id }) => {
        const nodes = await Promise.all(page.nodes.map((agentId) => readSkillAgent(agentId, String(id), views)))
        return { ...page, nodes, edges: page.edges.map((edge, index) => ({ ...edge, node: nodes[index] })) }
      }),
    )
  },
} as const satisfies Relation & { readonly description: string; readonly nullable: boolean }

interface SkillRef {
  readonly skillId: string
  readonly version: number
}

const keyOf = ({ skillId, version }: SkillRef): string => `${skillId}/${version}`

/** The versions that no new run on the agent gets, and no run that it has. */
async function findOutOfScope(agentId: string, held: readonly SkillRef[], views: TypedViews): Promise<SkillRef[]> {
  if (held.length === 0) return []
  const [rows, living] = await Promise.all([
    views.getMany('skill', [...new Set(held.map(({ skillId }) => skillId))]),
    views.living('run', [agentId]),
  ])
  const isCommon = [...rows.values()].every(({ init }) => init.repositoryId === null)
  const codebases = isCommon ? [] : await everyRow(views, { kind: 'codebase', where: { agentId }, terminal: false })
  const repositories = new Set(codebases.map(({ context }) => context.repositoryId))
  const pinned = new Set(
    living.flatMap(({ init }) => readPinnedSkills(init.spec).map(({ id, version }) => keyOf({ skillId: id, version }))),
  )
  const isNeeded = (one: SkillRef): boolean => {
    const row = rows.get(one.skillId)
    if (pinned.has(keyOf(one))) return true
    if (row?.columns.status !== 'ACTIVE' || row.context.revision !== one.version) return false
    return row.init.repositoryId === null || repositories.has(row.init.repositoryId)
  }
  return held.filter((one) => !isNeeded(one)).map(({ skillId, version }) => ({ skillId, version }))
}

export const skillAgentHandlers = [
  handle(reportAgentSkills, ['views', 'actors', 'presence'], {
    translate: async ({ epoch, skills }, context) => {
      const agentId = await requireEpoch(epoch, context)
      const reported = skills.map(({ problem, ...one }) => ({ ...one, problem: problem ?? null }))
      const outOfScope = await findOutOfScope(agentId, skills, context.views)
      return {
        messages: [{ to: { kind: 'agent', id: agentId }, event: { type: 'skillsReported', skills: reported } }],
        answer: () => ({ outOfScope }),
      }
    },
  }),
]
