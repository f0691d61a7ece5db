/** The files that reached something new. They are the parents of later files. */

/** A larger file is not kept. */
const mostFileBytes = 128 * 1024
/**
 * All files of one list. Otherwise the memory of the fuzzer grows for hours, and would look like a leak of a reader. At 8 MiB the lists of
 * nine readers have at most 144 MiB, and the growth of the process that counts as a leak is 512 MiB.
 */
const mostBytes = 8 * 1024 ** 2

/** The oldest files are dropped if all are too large together. */
class FileList {
  readonly files: Buffer[] = []
  #bytes = 0

  add(file: Buffer): void {
    this.files.push(Buffer.from(file))
    this.#bytes += file.length
    while (this.#bytes > mostBytes) this.#bytes -= this.files.shift()?.length ?? 0
  }
}

export class KeptFiles {
  // Most descendants of a refused file are refused too, so fewer files are made of those.
  readonly #read = new FileList()
  readonly #refused = new FileList()
  #count = 0

  /** The files that were kept since the beginning, with those that were dropped. */
  get count(): number {
    return this.#count
  }

  get read(): readonly Buffer[] {
    return this.#read.files
  }

  get refused(): readonly Buffer[] {
    return this.#refused.files
  }

  add(file: Buffer, isRead: boolean): void {
    if (file.length > mostFileBytes) return
    this.#count++
    const list = isRead ? this.#read : this.#refused
    list.add(file)
  }
}
