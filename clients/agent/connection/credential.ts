import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentFailure, exitCodes } from '../failures.ts'
import { readText, syncFolder, writeAtomic } from '../system/files.ts'

/**
 * The machine's credential, in `<state>/credential`. While it is being changed the new one stands in `credential.next` and is
 * tried first; the old one stays until the new one has worked, since the control plane honours it just as long.
 */
export class CredentialStore {
  private readonly current: string
  private readonly next: string
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    this.current = join(folder, 'credential')
    this.next = join(folder, 'credential.next')
  }

  /** The credential to use now; undefined before enrolment. Throws AgentFailure when others can read it. */
  async read(): Promise<{ value: string; isNext: boolean } | undefined> {
    for (const [path, isNext] of [
      [this.next, true],
      [this.current, false],
    ] as const) {
      const value = (await readText(path))?.trim()
      if (!value) continue
      await refuseIfShared(path)
      return { value, isNext }
    }
    return undefined
  }

  async write(value: string): Promise<void> {
    await writeAtomic(this.current, `${value}\n`)
  }

  async writeNext(value: string): Promise<void> {
    await writeAtomic(this.next, `${value}\n`)
  }

  /** The new one has worked: it is the only one from now on. */
  async confirmNext(): Promise<void> {
    await rename(this.next, this.current)
    await syncFolder(this.folder)
  }

  /** The new one was refused: back to the old one. */
  async dropNext(): Promise<void> {
    await rm(this.next, { force: true })
  }

  /** Days since the credential in use was written. */
  async ageInDays(now: number = Date.now()): Promise<number> {
    return (now - (await stat(this.current)).mtimeMs) / 86_400_000
  }
}

async function refuseIfShared(path: string): Promise<void> {
  const mode = (await stat(path)).mode & 0o777
  if ((mode & 0o077) === 0) return
  throw new AgentFailure(
    exitCodes.usage,
    `Others can read the credential ${path} (mode ${mode.toString(8)}); run: chmod 600 ${path} — and change it if somebody may have.`,
  )
}
