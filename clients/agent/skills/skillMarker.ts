/** How the agent recognizes the folder of a skill that it has placed. */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { describePathProblem, skillIgnoreFile, skillMarker } from '../../../spec/work/skills/skillPath.ts'
import { readJson, readText } from '../system/files.ts'

/** Git leaves out the whole folder, this file included, in this worktree and in no other. */
export const ignoreText = '# Signalbox placed this folder for a run, and removes it.\n*\n'

/** A run could have changed the marker, so its paths are checked again before a file is deleted. */
const path = v.pipe(
  v.string(),
  v.check((value) => describePathProblem(value) === undefined, 'is not a path in a skill'),
)

const SkillMarker = v.object({
  skillId: v.string(),
  name: v.string(),
  version: v.number(),
  sha256: v.string(),
  /** The files of the skill, which the agent may delete. */
  files: v.array(path),
})
export type SkillMarker = v.InferOutput<typeof SkillMarker>

const agentFiles: readonly string[] = [skillIgnoreFile, skillMarker]

/** Whether the agent writes a file of this name, or of this temporary name, into the folder of a skill. */
export function isAgentFile(name: string): boolean {
  return agentFiles.includes(name.replace(/\.\d+\.[0-9a-f]{8}\.tmp$/, ''))
}

/** The folder at a path. OURS: the agent has placed it, or has begun to. `marker` is undefined if the agent did not get that far. */
export type FoundFolder =
  | { readonly kind: 'ABSENT' | 'FOREIGN' }
  | { readonly kind: 'OURS'; readonly marker: SkillMarker | undefined }

export async function findFolder(folder: string): Promise<FoundFolder> {
  const found = await lstat(folder).catch(() => undefined)
  if (found === undefined) return { kind: 'ABSENT' }
  if (!found.isDirectory()) return { kind: 'FOREIGN' }
  const marker = v.safeParse(SkillMarker, await readJson(join(folder, skillMarker)).catch(() => undefined))
  if (marker.success) return { kind: 'OURS', marker: marker.output }
  const names = await readdir(folder)
  const ignored = await readText(join(folder, skillIgnoreFile))
  const isBegun = names.every(isAgentFile) && (ignored ?? ignoreText) === ignoreText
  return isBegun ? { kind: 'OURS', marker: undefined } : { kind: 'FOREIGN' }
}
