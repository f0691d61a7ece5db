/** The folders in which coding CLIs look for the skills of a repository. `docs/work/skills.md` has the lines of their programs. */
import { basename } from 'node:path'
import { type CliCommand, programOf } from '../clis/cliCommand.ts'

export interface SkillFolders {
  /** The folder in which the agent places skills. */
  readonly place: string
  /** All folders in a worktree that the CLI reads. A skill of the repository in any of them is used. */
  readonly read: readonly string[]
}

/** The common folder of the Agent Skills format. */
const common = '.agents/skills'
const commonFolders: SkillFolders = { place: common, read: [common] }

const only = (folder: string): SkillFolders => ({ place: folder, read: [folder] })
const besideCommon = (folder: string): SkillFolders => ({ place: folder, read: [folder, common] })

/** By the name of the program, or of the CLI. */
const folders: Readonly<Record<string, SkillFolders>> = {
  claude: only('.claude/skills'),
  'claude-agent-acp': only('.claude/skills'),
  'claude-code-acp': only('.claude/skills'),
  gemini: besideCommon('.gemini/skills'),
  qwen: besideCommon('.qwen/skills'),
}

/** A CLI that is not in the table gets the common folder. */
export function findSkillFolders({ name, command }: Pick<CliCommand, 'name' | 'command'>): SkillFolders {
  const program = basename(programOf(command))
  for (const one of [program, name]) if (Object.hasOwn(folders, one)) return folders[one] ?? commonFolders
  return commonFolders
}
