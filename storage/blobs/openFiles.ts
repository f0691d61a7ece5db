import type { FileHandle } from 'node:fs/promises'

/** A file that is open twice: one way takes any bytes, the other one whole pages of memory. */
export interface OpenFile {
  readonly file: FileHandle
  /** Undefined if the file system does not take whole pages. */
  readonly direct: FileHandle | undefined
}

interface Entry {
  readonly opened: Promise<OpenFile>
  users: number
  /** Closed after its last user, and not found any more. */
  isDiscarded: boolean
  cancelClose: () => void
}

/** How long a file stays open after a use, ms. The next piece of an upload usually comes sooner. */
const keptMs = 2_000

/** Files that stay open between two uses. Opening a file for each piece of an upload takes longer than to write the piece. */
export class OpenFiles {
  readonly #entries = new Map<string, Entry>()

  /**
   * @param open called if the file is not open
   * @param isKept whether the file stays open for the next use. After a failure it is closed
   */
  async use(
    path: string,
    open: () => Promise<OpenFile>,
    { isKept }: { readonly isKept: boolean },
    work: (file: OpenFile) => Promise<void>,
  ): Promise<void> {
    const entry = this.#entries.get(path) ?? this.#add(path, open)
    entry.users++
    entry.cancelClose()
    try {
      await work(await entry.opened)
      if (!isKept) this.discard(path)
    } catch (error) {
      this.discard(path)
      throw error
    } finally {
      entry.users--
      if (entry.users === 0)
        if (entry.isDiscarded) await close(entry)
        else this.#closeLater(path, entry)
    }
  }

  /** The next use opens the file of this path again. */
  discard(path: string): void {
    const entry = this.#entries.get(path)
    if (entry === undefined) return
    this.#entries.delete(path)
    entry.isDiscarded = true
    entry.cancelClose()
    if (entry.users === 0) void close(entry)
  }

  #add(path: string, open: () => Promise<OpenFile>): Entry {
    const entry: Entry = { opened: open(), users: 0, isDiscarded: false, cancelClose: () => {} }
    this.#entries.set(path, entry)
    return entry
  }

  #closeLater(path: string, entry: Entry): void {
    const timer = setTimeout(() => {
      if (this.#entries.get(path) === entry) this.discard(path)
    }, keptMs).unref()
    entry.cancelClose = () => clearTimeout(timer)
  }
}

/** The bytes are durable by then, so an error of the close changes nothing. */
async function close({ opened }: Entry): Promise<void> {
  const found = await opened.catch(() => undefined)
  await Promise.allSettled([found?.file.close(), found?.direct?.close()])
}
