/**
 * The skills in worktrees, for as long as runs use them. All runs of one worktree share a placed skill. It is removed when the last of them
 * has ended. Each run records its places in its job’s folder before they are written, so that a restarted agent continues.
 */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SkillPlacement } from '../../../spec/work/skills/runSkills.ts'
import type { SkillArchiveFile } from '../../../spec/work/skills/skillArchive.ts'
import { messageOf } from '../failures.ts'
import { type JobFolder, readRecord, writeRecord } from '../jobs/folder.ts'
import type { Logger } from '../log.ts'
import type { AgentSkill } from '../operations.ts'
import { ExclusiveWork } from './exclusiveWork.ts'
import { listTracked, removeSkill, writeSkill } from './placeSkill.ts'
import type { SkillFolders } from './skillFolders.ts'
import { findFolder } from './skillMarker.ts'

/** All worktrees are changed one after the other, because that takes milliseconds. */
const worktreesKey = 'worktrees'

export interface SkillToPlace extends Pick<AgentSkill, 'skillId' | 'name' | 'version' | 'sha256'> {
  readonly files: readonly SkillArchiveFile[]
}

/** The placement of a skill, as the run shows it. */
export interface PlacedSkill {
  readonly skillId: string
  readonly placement: SkillPlacement
  readonly problem?: string
}

/** A skill, and the folder in which the CLI finds it. */
interface ChosenPlace extends PlacedVersion {
  readonly skill: SkillToPlace
  /** Undefined if the worktree has a skill of its own. */
  readonly place: string | undefined
  /** Whether the folder must be written. */
  readonly isNew: boolean
  readonly placement: SkillPlacement
  readonly problem?: string
}

interface PlacedVersion {
  readonly version: number
  readonly sha256: string
}

/** A placed skill and the attempts that use it. */
interface Use extends PlacedVersion {
  readonly marks: Set<string>
}

export class WorktreeSkills {
  /** By the path of the folder. */
  private readonly uses = new Map<string, Use>()
  private readonly log: Logger
  private readonly exclusive = new ExclusiveWork()

  constructor(log: Logger) {
    this.log = log
  }

  /** Registers the places of an attempt of a former process. Must be done for all of them before any is released. */
  async takeUp(folder: JobFolder): Promise<void> {
    const { worktree, places } = await this.readPlaces(folder)
    for (const { name, version, sha256 } of places)
      this.use(join(worktree, name), { version, sha256 }).marks.add(folder.mark)
  }

  place(
    job: JobFolder,
    worktree: string,
    folders: SkillFolders,
    skills: readonly SkillToPlace[],
  ): Promise<readonly PlacedSkill[]> {
    return this.exclusive.run(worktreesKey, async () => {
      // A former process may have stopped before it had written all of them.
      await this.releasePlaces(job)
      const tracked = await listTracked(worktree, folders.read)
      await this.sweep(worktree, folders, tracked)
      const chosen = await Promise.all(skills.map((skill) => this.choose(worktree, folders, tracked, skill)))
      const places = chosen.flatMap(({ place, version, sha256 }) =>
        place === undefined ? [] : [{ name: place, version, sha256 }],
      )
      // Recorded first, so that a restarted agent finds whatever was written.
      if (places.length > 0) await writeRecord(job, 'skills', { worktree, places })
      for (const { name, version, sha256 } of places)
        this.use(join(worktree, name), { version, sha256 }).marks.add(job.mark)
      const placed: PlacedSkill[] = []
      for (const one of chosen) placed.push(one.isNew ? await this.write(job, worktree, tracked, one) : toPlaced(one))
      return placed
    })
  }

  /** Ends the use by an attempt, and removes what no other one uses. A repeat finds nothing to do. */
  release(job: JobFolder): Promise<void> {
    return this.exclusive.run(worktreesKey, () => this.releasePlaces(job))
  }

  private async releasePlaces(job: JobFolder): Promise<void> {
    const { worktree, places } = await this.readPlaces(job)
    // The worktree may have been removed.
    const isThere = places.length > 0 && (await lstat(worktree).catch(() => undefined)) !== undefined
    const tracked = isThere ? await this.listTrackedOrWarn(worktree, places) : undefined
    for (const { name } of places) {
      if (!this.endUse(join(worktree, name), job.mark) || tracked === undefined) continue
      await this.remove(worktree, name, tracked)
    }
  }

  private async listTrackedOrWarn(worktree: string, places: readonly { readonly name: string }[]) {
    const folders = [...new Set(places.map(({ name }) => name))]
    return listTracked(worktree, folders).catch((error) => {
      this.log.warn('The skills of a worktree are left in it.', { worktree, reason: messageOf(error) })
      return undefined
    })
  }

  private async readPlaces(job: JobFolder) {
    const record = await readRecord(job, 'skills').catch((error) => {
      this.log.warn('The list of placed skills can’t be read.', { jobId: job.jobId, reason: messageOf(error) })
      return undefined
    })
    return record ?? { worktree: '', places: [] }
  }

  /** Returns whether no other attempt uses the place. */
  private endUse(path: string, mark: string): boolean {
    const use = this.uses.get(path)
    use?.marks.delete(mark)
    if (use !== undefined && use.marks.size > 0) return false
    this.uses.delete(path)
    return true
  }

  private async remove(worktree: string, folder: string, tracked: ReadonlySet<string>): Promise<void> {
    await removeSkill({ worktree, folder }, tracked).catch((error) =>
      this.log.warn('A skill could not be removed from a worktree.', { worktree, folder, reason: messageOf(error) }),
    )
  }

  private async write(
    job: JobFolder,
    worktree: string,
    tracked: ReadonlySet<string>,
    chosen: ChosenPlace,
  ): Promise<PlacedSkill> {
    const { skillId, name, version, sha256, files } = chosen.skill
    const folder = chosen.place ?? ''
    try {
      await removeSkill({ worktree, folder }, tracked)
      await writeSkill({ worktree, folder }, { skillId, name, version, sha256 }, files)
      return toPlaced(chosen)
    } catch (error) {
      // No other run may use a part of a skill.
      this.endUse(join(worktree, folder), job.mark)
      await this.remove(worktree, folder, tracked)
      return { skillId, placement: 'FAILED', problem: messageOf(error).slice(0, 500) }
    }
  }

  /** The place of the skill for the CLI: one that another run uses, the repository’s own, or a new one. */
  private async choose(
    worktree: string,
    { place, read }: SkillFolders,
    tracked: ReadonlySet<string>,
    skill: SkillToPlace,
  ): Promise<ChosenPlace> {
    const { name, version, sha256 } = skill
    for (const folder of read) {
      const used = this.uses.get(join(worktree, folder, name))
      if (used === undefined) continue
      const shared = { skill, place: `${folder}/${name}`, version: used.version, sha256: used.sha256, isNew: false }
      if (used.sha256 === sha256) return { ...shared, placement: 'PLACED' }
      const problem = `Another run on the worktree uses version ${used.version} at the same time.`
      return { ...shared, placement: 'OTHER_VERSION', problem }
    }
    for (const folder of read) {
      const own = `${folder}/${name}`
      const { kind } = await findFolder(join(worktree, own))
      if (kind !== 'FOREIGN' && !hasAny(tracked, own)) continue
      const problem = `The worktree has a skill of its own in ${own}.`
      return { skill, place: undefined, version, sha256, isNew: false, placement: 'REPOSITORY', problem }
    }
    return { skill, place: `${place}/${name}`, version, sha256, isNew: true, placement: 'PLACED' }
  }

  /** Removes what a run has left that did not end properly, for example because its job’s folder was deleted. */
  private async sweep(worktree: string, { read }: SkillFolders, tracked: ReadonlySet<string>): Promise<void> {
    for (const folder of read) {
      const names = await readdir(join(worktree, folder)).catch(() => [])
      for (const name of names) {
        const path = join(worktree, folder, name)
        if (!this.uses.has(path) && (await findFolder(path)).kind === 'OURS')
          await this.remove(worktree, `${folder}/${name}`, tracked)
      }
    }
  }

  private use(path: string, { version, sha256 }: PlacedVersion): Use {
    const use = this.uses.get(path) ?? { version, sha256, marks: new Set() }
    this.uses.set(path, use)
    return use
  }
}

function toPlaced({ skill: { skillId }, placement, problem }: ChosenPlace): PlacedSkill {
  return { skillId, placement, ...(problem === undefined ? {} : { problem }) }
}

function hasAny(tracked: ReadonlySet<string>, folder: string): boolean {
  return [...tracked].some((path) => path === folder || path.startsWith(`${folder}/`))
}
