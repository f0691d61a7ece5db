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
import { listTracked, removeSkill, writeSkill } from './placeSkill.ts'
import type { SkillFolders } from './skillFolders.ts'
import { findFolder } from './skillMarker.ts'

export interface SkillToPlace extends Pick<AgentSkill, 'skillId' | 'name' | 'version' | 'sha256'> {
  readonly files: readonly SkillArchiveFile[]
}

/** The placement of a skill, as the run shows it. */
export interface PlacedSkill {
  readonly skillId: string
  readonly placement: SkillPlacement
  readonly problem?: string
}

/** A placed skill and the attempts that use it. */
interface Use {
  readonly sha256: string
  readonly version: number
  readonly marks: Set<string>
}

export class WorktreeSkills {
  /** By the path of the folder. */
  private readonly uses = new Map<string, Use>()
  private readonly log: Logger
  private changing: Promise<unknown> = Promise.resolve()

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
    return this.inTurn(async () => {
      // A former process may have stopped before it had written all of them.
      await this.releasePlaces(job)
      await this.sweep(worktree, folders)
      const placed: PlacedSkill[] = []
      const places: { name: string; version: number; sha256: string }[] = []
      for (const skill of skills) {
        const { skillId } = skill
        try {
          const found = await this.choose(worktree, folders, skill)
          if (found.place !== undefined) {
            const { place, version, sha256 } = found
            places.push({ name: place, version, sha256 })
            await writeRecord(job, 'skills', { worktree, places })
            this.use(join(worktree, place), { version, sha256 }).marks.add(job.mark)
            if (found.isNew) await this.write(job, worktree, place, skill)
          }
          placed.push({ skillId, placement: found.placement, ...(found.problem ? { problem: found.problem } : {}) })
        } catch (error) {
          placed.push({ skillId, placement: 'FAILED', problem: messageOf(error).slice(0, 500) })
        }
      }
      return placed
    })
  }

  /** Ends the use by an attempt, and removes what no other one uses. A repeat finds nothing to do. */
  release(job: JobFolder): Promise<void> {
    return this.inTurn(() => this.releasePlaces(job))
  }

  private async releasePlaces(job: JobFolder): Promise<void> {
    const { worktree, places } = await this.readPlaces(job)
    for (const { name } of places) await this.releasePlace(worktree, name, job.mark)
  }

  private async readPlaces(job: JobFolder) {
    const record = await readRecord(job, 'skills').catch((error) => {
      this.log.warn('The list of placed skills can’t be read.', { jobId: job.jobId, reason: messageOf(error) })
      return undefined
    })
    return record ?? { worktree: '', places: [] }
  }

  private async releasePlace(worktree: string, folder: string, mark: string): Promise<void> {
    const path = join(worktree, folder)
    const use = this.uses.get(path)
    use?.marks.delete(mark)
    if (use !== undefined && use.marks.size > 0) return
    this.uses.delete(path)
    await this.remove(worktree, folder)
  }

  private async remove(worktree: string, folder: string): Promise<void> {
    // The worktree may have been removed.
    if ((await lstat(worktree).catch(() => undefined)) === undefined) return
    await removeSkill({ worktree, folder }).catch((error) =>
      this.log.warn('A skill could not be removed from a worktree.', { worktree, folder, reason: messageOf(error) }),
    )
  }

  private async write(job: JobFolder, worktree: string, folder: string, skill: SkillToPlace): Promise<void> {
    const { skillId, name, version, sha256, files } = skill
    try {
      await removeSkill({ worktree, folder })
      await writeSkill({ worktree, folder }, { skillId, name, version, sha256 }, files)
    } catch (error) {
      // No other run may use a part of a skill.
      await this.releasePlace(worktree, folder, job.mark)
      throw error
    }
  }

  /** The place of the skill for the CLI: one that another run uses, the repository’s own, or a new one. */
  private async choose(worktree: string, { place, read }: SkillFolders, { name, version, sha256 }: SkillToPlace) {
    for (const folder of read) {
      const used = this.uses.get(join(worktree, folder, name))
      if (used === undefined) continue
      const isSame = used.sha256 === sha256
      return {
        placement: isSame ? ('PLACED' as const) : ('OTHER_VERSION' as const),
        problem: isSame ? undefined : `Another run on the worktree uses version ${used.version} at the same time.`,
        place: `${folder}/${name}`,
        ...{ version: used.version, sha256: used.sha256, isNew: false },
      }
    }
    for (const folder of read) {
      const own = `${folder}/${name}`
      const { kind } = await findFolder(join(worktree, own))
      if (kind === 'FOREIGN' || (await listTracked(worktree, own)).length > 0) {
        const problem = `The worktree has a skill of its own in ${own}.`
        return { placement: 'REPOSITORY' as const, problem, place: undefined }
      }
    }
    return { placement: 'PLACED' as const, place: `${place}/${name}`, version, sha256, isNew: true }
  }

  /** Removes what a run has left that did not end properly, for example because its job’s folder was deleted. */
  private async sweep(worktree: string, { read }: SkillFolders): Promise<void> {
    for (const folder of read) {
      const names = await readdir(join(worktree, folder)).catch(() => [])
      for (const name of names) {
        const path = join(worktree, folder, name)
        if (!this.uses.has(path) && (await findFolder(path)).kind === 'OURS')
          await this.remove(worktree, `${folder}/${name}`)
      }
    }
  }

  private use(path: string, { version, sha256 }: Pick<Use, 'version' | 'sha256'>): Use {
    const use = this.uses.get(path) ?? { version, sha256, marks: new Set() }
    this.uses.set(path, use)
    return use
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.changing.then(work)
    this.changing = done.catch(() => {})
    return done
  }
}
