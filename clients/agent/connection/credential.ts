import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentFailure, exitCodes } from '../failures.ts'
import { readText, syncFolder, writeAtomic } from '../system/files.ts'

export interface StoredCredential {
  value: string
  /** Whether it is the one of `credential.next`. */
  isNext: boolean
}

/**
 * The machine's credential, in `<state>/credential`. During a rotation, `credential.next` has the new one, which is used first. The
 * old one is kept until the new one has worked, because the control plane accepts it until then.
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

  /** Returns the credential to use now, or undefined before enrollment. Throws AgentFailure if other users can read it. */
  async read(): Promise<StoredCredential | undefined> {
    return (await readFrom(this.next, true)) ?? (await this.readCurrent())
  }

  /** Returns the credential that is replaced when the next one has worked. */
  async readCurrent(): Promise<StoredCredential | undefined> {
    return await readFrom(this.current, false)
  }

  /** Stores the credential of another agent. A next one belonged to the former agent. */
  async replace(value: string): Promise<void> {
    await rm(this.next, { force: true })
    await writeAtomic(this.current, `${value}\n`)
  }

  async writeNext(value: string): Promise<void> {
    await writeAtomic(this.next, `${value}\n`)
  }

  /** The new credential has worked. It replaces the old one. */
  async confirmNext(): Promise<void> {
    await rename(this.next, this.current)
    await syncFolder(this.folder)
  }

  /** The new credential was rejected, and the old one works. The new one is deleted. */
  async dropNext(): Promise<void> {
    await rm(this.next, { force: true })
  }

  /** Returns the age of the current credential in days. */
  async ageInDays(now: number = Date.now()): Promise<number> {
    return (now - (await stat(this.current)).mtimeMs) / 86_400_000
  }
}

async function readFrom(path: string, isNext: boolean): Promise<StoredCredential | undefined> {
  const value = (await readText(path))?.trim()
  if (!value) return undefined
  await refuseIfShared(path)
  return { value, isNext }
}

async function refuseIfShared(path: string): Promise<void> {
  const mode = (await stat(path)).mode & 0o777
  if ((mode & 0o077) === 0) return
  throw new AgentFailure(
    exitCodes.usage,
    `Other users of this machine can read the credential ${path} (mode ${mode.toString(8)}). Run: chmod 600 ${path}. If one of them may have read it, revoke the agent and enroll it again.`,
  )
}
