import * as v from 'valibot'
import { runEventStream } from '../../../../machines/runs/runKeys.ts'
import { atMost } from '../../../../spec/core/types.ts'
import {
  readPinnedSkills,
  runSkill,
  runSkillsMax,
  skillPlacements,
  skillsEventType,
} from '../../../../spec/work/skills/runSkills.ts'
import type { Relations } from '../../objectType.ts'
import type { TypedViews } from '../../typedViews.ts'

/** The data of the event, as the agent sends it. */
const reported = v.object({
  skills: v.array(
    v.object({
      skillId: v.string(),
      placement: v.picklist(skillPlacements),
      problem: v.optional(v.nullable(v.string()), null),
    }),
  ),
})
type Placement = v.InferOutput<typeof reported>['skills'][number]

/** The agent reports the skills before it starts the coding CLI, so the event is one of the first. */
const lookAhead = 8

async function readPlacements(runId: string, views: TypedViews): Promise<ReadonlyMap<string, Placement>> {
  const { entries } = await views.stream(runEventStream(runId), { after: -1, limit: lookAhead })
  const event = entries.findLast(({ kind }) => kind === skillsEventType)
  const read = event && v.safeParse(reported, JSON.parse(new TextDecoder().decode(event.data)))
  return new Map(read?.success ? read.output.skills.map((one) => [one.skillId, one]) : [])
}

export async function readRunSkills(runId: string, views: TypedViews): Promise<v.InferInput<typeof runSkill>[]> {
  const pinned = readPinnedSkills((await views.get('run', runId))?.init.spec)
  if (pinned.length === 0) return []
  const placements = await readPlacements(runId, views)
  return pinned.map(({ id, name, version, sha256 }) => {
    const { placement = null, problem = null } = placements.get(id) ?? {}
    return { skillId: id, name, version, sha256, placement, problem }
  })
}

export const skillsOfRun = {
  type: 'derived',
  output: atMost(runSkillsMax, runSkill),
  nullable: false,
  description: 'The skills that the run got when it was created, by name. Empty for commands.',
  load: async (parents, { views }) =>
    await Promise.all(parents.map(async ({ id }) => await readRunSkills(String(id), views))),
} as const satisfies Relations[string]
