/** The skills of a run: downloaded, placed in its worktree, and reported as an event of the run. */
import { skillsEventType } from '../../../spec/work/skills/runSkills.ts'
import type { CliCommand } from '../clis/cliCommand.ts'
import { SpoolWriter } from '../connection/spool.ts'
import { messageOf } from '../failures.ts'
import type { JobFolder } from '../jobs/folder.ts'
import { Refusal } from '../jobs/refusal.ts'
import type { AcceptPayload, AgentSkill } from '../operations.ts'
import { isNoSpace } from '../system/unwritable.ts'
import { findSkillFolders } from './skillFolders.ts'
import type { SkillStore } from './skillStore.ts'
import type { PlacedSkill, SkillToPlace, WorktreeSkills } from './worktreeSkills.ts'

export interface RunSkills {
  readonly store: SkillStore
  readonly worktrees: WorktreeSkills
}

/** @throws Refusal SKILL_UNAVAILABLE; the error of the system if the disk is full */
export async function loadSkills(
  { skills, runToken }: Pick<AcceptPayload, 'skills' | 'runToken'>,
  { store }: RunSkills,
  signal: AbortSignal,
): Promise<readonly SkillToPlace[]> {
  const loaded: SkillToPlace[] = []
  for (const skill of skills) {
    try {
      loaded.push({ ...skill, files: await store.load(skill, runToken ?? '', signal) })
    } catch (error) {
      // The job ends with DISK_FULL. The skill is not the cause.
      if (isNoSpace(error)) throw error
      const { name, version } = skill
      throw new Refusal(
        'SKILL_UNAVAILABLE',
        `Version ${version} of the skill ${name} could not be downloaded: ${messageOf(error)}.`,
      )
    }
  }
  return loaded
}

/** A skill that cannot be placed does not stop the run. The run shows the reason. */
export async function placeSkills(
  folder: JobFolder,
  worktree: string,
  cli: CliCommand,
  skills: readonly SkillToPlace[],
  { worktrees }: RunSkills,
): Promise<void> {
  if (skills.length === 0) return
  const placed = await worktrees.place(folder, worktree, findSkillFolders(cli), skills).catch((error) => {
    const problem = messageOf(error).slice(0, 500)
    return skills.map(({ skillId }): PlacedSkill => ({ skillId, placement: 'FAILED', problem }))
  })
  report(folder, placed, skills)
}

function report(
  folder: JobFolder,
  placed: readonly PlacedSkill[],
  skills: readonly Pick<AgentSkill, 'skillId' | 'name'>[],
) {
  const events = new SpoolWriter(folder.events)
  events.write('EVENT', Buffer.from(JSON.stringify({ type: skillsEventType, data: { skills: placed } })))
  events.close()
  const output = new SpoolWriter(folder.output)
  for (const { skillId, placement, problem } of placed) {
    if (placement === 'PLACED') continue
    const name = skills.find((one) => one.skillId === skillId)?.name
    output.write('SYSTEM', Buffer.from(`The skill ${name} was not placed. ${problem}\n`))
  }
  output.close()
}
