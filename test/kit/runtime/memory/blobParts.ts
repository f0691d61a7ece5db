import type { BlobPage, BlobPart, BlobParts, NamedPart } from '../../../../storage/blobs/s3/blobParts.ts'
import type { BlobEntry } from '../../../../storage/ports/blobs.ts'

export class MemoryBlobParts implements BlobParts {
  readonly #blobs = new Map<string, { parts: readonly BlobPart[]; changedAt: number }>()
  readonly #writers = new Map<string, number>()

  async list(name: string): Promise<readonly BlobPart[]> {
    return this.#parts(name)
  }

  async last(name: string): Promise<BlobPart | undefined> {
    return this.#parts(name).at(-1)
  }

  async writer(name: string): Promise<number> {
    return this.#writers.get(name) ?? 0
  }

  async fence(name: string, writer: number): Promise<void> {
    this.#writers.set(name, Math.max(writer, this.#writers.get(name) ?? 0))
  }

  async add(name: string, part: BlobPart, writer: number): Promise<boolean> {
    if (this.#isOld(name, writer)) return false
    const parts = this.#parts(name)
    const last = parts.at(-1)
    if (part.start !== (last === undefined ? 0 : last.start + last.size) || last?.start === part.start) return false
    this.#set(name, [...parts, part])
    return true
  }

  async replace(name: string, from: BlobPart, to: BlobPart, writer: number): Promise<boolean> {
    if (this.#isOld(name, writer)) return false
    const parts = this.#parts(name)
    const last = parts.at(-1)
    if (last?.start !== from.start || last.size !== from.size || last.object !== from.object) return false
    this.#set(name, [...parts.slice(0, -1), to])
    return true
  }

  async truncate(name: string, size: number, writer: number): Promise<readonly string[]> {
    if (this.#isOld(name, writer)) return []
    const parts = this.#parts(name)
    const isGone = ({ start }: BlobPart): boolean => size === 0 || (start > 0 && start >= size)
    const kept = parts
      .filter((part) => !isGone(part))
      .map((part) => ({ ...part, size: Math.min(part.size, Math.max(0, size - part.start)) }))
    if (kept.length > 0) this.#set(name, kept)
    else this.#blobs.delete(name)
    return parts.filter(isGone).flatMap(({ object }) => object ?? [])
  }

  async remove(name: string): Promise<readonly string[]> {
    const parts = this.#parts(name)
    this.#blobs.delete(name)
    this.#writers.delete(name)
    return parts.flatMap(({ object }) => object ?? [])
  }

  async page({ folder, after = '', limit }: BlobPage): Promise<readonly BlobEntry[]> {
    return [...this.#blobs]
      .map(([name, { changedAt }]) => ({ name, changedAt }))
      .filter(
        ({ name }) => name.startsWith(`${folder}/`) && !name.slice(folder.length + 1).includes('/') && name > after,
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, limit)
  }

  async known(objects: readonly string[]): Promise<ReadonlySet<string>> {
    const all = new Set([...this.#blobs.values()].flatMap(({ parts }) => parts.map(({ object }) => object)))
    return new Set(objects.filter((object) => all.has(object)))
  }

  async between(after: string, upTo: string | undefined, limit: number): Promise<readonly NamedPart[]> {
    return [...this.#blobs]
      .flatMap(([name, { parts }]) => parts.map((part) => ({ name, ...part })))
      .filter(({ object }) => object !== null && object > after && (upTo === undefined || object <= upTo))
      .sort((a, b) => ((a.object ?? '') < (b.object ?? '') ? -1 : 1))
      .slice(0, limit)
  }

  #isOld(name: string, writer: number): boolean {
    return writer < (this.#writers.get(name) ?? 0)
  }

  /** Read and written without an await between, as one statement of a database. */
  #parts(name: string): readonly BlobPart[] {
    return this.#blobs.get(name)?.parts ?? []
  }

  #set(name: string, parts: readonly BlobPart[]): void {
    this.#blobs.set(name, { parts, changedAt: Date.now() })
  }
}
