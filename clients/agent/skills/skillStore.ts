/** The versions of skills that are stored on this machine, each once, in a file that its SHA-256 names. */
import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { type BackOffPolicy, backOffMs } from '../../../spec/core/backOff.ts'
import { type SkillArchiveFile, skillArchiveBytesMax, unpackSkill } from '../../../spec/work/skills/skillArchive.ts'
import { messageOf } from '../failures.ts'
import type { AgentSkill } from '../operations.ts'
import { readJson, syncFolder, writeJson } from '../system/files.ts'
import { isNoSpace } from '../system/unwritable.ts'
import { sleep } from '../wait.ts'
import { ExclusiveWork } from './exclusiveWork.ts'

const indexName = 'index.json'
const tries = 4
/** Milliseconds for one try. */
const downloadMs = 60_000
const retryPolicy: BackOffPolicy = { firstMs: 500, factor: 2, mostMs: 5_000, jitter: 0.5 }

const HeldVersion = v.object({
  skillId: v.string(),
  version: v.number(),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** The reason why it could not be stored. */
  problem: v.optional(v.string()),
})
export type HeldVersion = v.InferOutput<typeof HeldVersion>
const Index = v.array(HeldVersion)

type SkillRef = Pick<HeldVersion, 'skillId' | 'version'>

const keyOf = ({ skillId, version }: SkillRef): string => `${skillId}/${version}`

export class SkillStore {
  /** Called after the list of versions has changed. */
  onChange: () => void = () => {}
  /** Whether this agent has ever stored a skill. */
  isUsed = false
  private readonly folder: string
  private held = new Map<string, HeldVersion>()
  /** A version is downloaded once, and the list is written once at a time. */
  private readonly exclusive = new ExclusiveWork()

  constructor(stateFolder: string) {
    this.folder = join(stateFolder, 'skills')
  }

  /** Reads the list. Files that are not in it are deleted: a process stopped before it had added them. */
  async open(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const stored = await readJson(this.indexFile).catch(() => [])
    this.isUsed = stored !== undefined
    const index = v.safeParse(Index, stored)
    this.held = new Map((index.success ? index.output : []).map((one) => [keyOf(one), one]))
    const known = new Set([...this.held.values()].map(({ sha256 }) => sha256))
    for (const name of await readdir(this.folder))
      if (name !== indexName && !known.has(name)) await rm(join(this.folder, name), { force: true })
  }

  list(): readonly HeldVersion[] {
    return [...this.held.values()]
  }

  /**
   * The files of a version. It is downloaded if it is not stored, or if its file is damaged.
   * @throws Error if it cannot be downloaded, or its bytes are not those of the version
   */
  async load(skill: AgentSkill, token: string, signal: AbortSignal): Promise<readonly SkillArchiveFile[]> {
    const { skillId, version, sha256 } = skill
    try {
      const archive = await this.exclusive.run(
        sha256,
        async () => (await this.read(sha256)) ?? (await this.download(skill, token, signal)),
      )
      const files = unpackSkill(archive)
      await this.note({ skillId, version, sha256 })
      return files
    } catch (error) {
      const problem = messageOf(error).slice(0, 500)
      // A list that cannot be written must not hide the first error.
      if (!signal.aborted) await this.note({ skillId, version, sha256, problem }).catch(() => {})
      throw error
    }
  }

  /** Removes versions. A file that another version has too stays. */
  async drop(versions: readonly SkillRef[]): Promise<void> {
    await this.exclusive.run(indexName, async () => {
      const hashes = versions.flatMap((one) => this.held.get(keyOf(one))?.sha256 ?? [])
      const kept = new Map(this.held)
      for (const one of versions) kept.delete(keyOf(one))
      if (kept.size === this.held.size) return
      await this.replaceList(kept)
      const used = new Set(this.list().map(({ sha256 }) => sha256))
      for (const sha256 of hashes) if (!used.has(sha256)) await rm(join(this.folder, sha256), { force: true })
    })
  }

  private async read(sha256: string): Promise<Buffer | undefined> {
    const archive = await readFile(join(this.folder, sha256)).catch(() => undefined)
    return archive !== undefined && hash(archive) === sha256 ? archive : undefined
  }

  private async download(skill: AgentSkill, token: string, signal: AbortSignal): Promise<Buffer> {
    for (let tried = 1; ; tried += 1) {
      try {
        const archive = await withTimeout(signal, (limited) => downloadOnce(skill, token, limited))
        await this.writeFile(skill.sha256, archive)
        return archive
      } catch (error) {
        if (signal.aborted || tried === tries || isNoSpace(error)) throw error
        await sleep(backOffMs(retryPolicy, tried), signal)
      }
    }
  }

  private async writeFile(name: string, data: Uint8Array): Promise<void> {
    const temporary = join(this.folder, `${name}.tmp`)
    const file = await open(temporary, 'w', 0o600)
    try {
      await file.writeFile(data)
      await file.sync()
    } catch (error) {
      // A part of a file would keep the disk full.
      await rm(temporary, { force: true })
      throw error
    } finally {
      await file.close()
    }
    await rename(temporary, join(this.folder, name))
    await syncFolder(this.folder)
  }

  private note(version: HeldVersion): Promise<void> {
    return this.exclusive.run(indexName, async () => {
      if (JSON.stringify(this.held.get(keyOf(version))) === JSON.stringify(version)) return
      await this.replaceList(new Map(this.held).set(keyOf(version), version))
    })
  }

  /** The memory changes after the file, so it stays as it was if the file cannot be written. */
  private async replaceList(held: Map<string, HeldVersion>): Promise<void> {
    await writeJson(this.indexFile, [...held.values()])
    this.held = held
    this.isUsed = true
    this.onChange()
  }

  private get indexFile(): string {
    return join(this.folder, indexName)
  }
}

async function downloadOnce(
  { url, archiveSize, sha256 }: AgentSkill,
  token: string,
  signal: AbortSignal,
): Promise<Buffer> {
  if (archiveSize > skillArchiveBytesMax) throw new Error(`it is larger than ${skillArchiveBytesMax} bytes`)
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, redirect: 'error', signal })
  if (response.status !== 200 || response.body === null) throw new Error(`the server answers ${response.status}`)
  const chunks: Uint8Array[] = []
  let received = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    received += chunk.length
    // A server must not fill the memory.
    if (received > archiveSize) throw new Error(`it is larger than ${archiveSize} bytes`)
    chunks.push(chunk)
  }
  const archive = Buffer.concat(chunks)
  if (hash(archive) !== sha256) throw new Error('its bytes do not have the SHA-256 of the version')
  return archive
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** @param work gets a signal that aborts with the given one, or when the time is over */
async function withTimeout<T>(signal: AbortSignal, work: (limited: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController()
  const abort = () => limit.abort()
  const timer = setTimeout(abort, downloadMs)
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
