/** The faults that files have shown. Each kind of fault of a reader is reported once, with the first file. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface FileFinding {
  readonly reader: string
  readonly fault: string
  readonly seed: number
  /** The number of the input of its reader. */
  readonly input: number
  /** The file that reproduces it. */
  readonly path: string
}

export class FileFindings {
  readonly #folder: string | undefined
  readonly #found = new Map<string, { readonly finding: FileFinding; times: number }>()

  /** @param folder for the files. Undefined if they exist already */
  constructor(folder: string | undefined) {
    this.#folder = folder
  }

  /** @returns the finding if it is the first one of its kind */
  add(found: Omit<FileFinding, 'path'>, file: Buffer): FileFinding | undefined {
    // Other values are not another kind. A stack is of the same kind if its first function is.
    const [message = '', place = ''] = found.fault.split('\n')
    const kind = `${found.reader} ${message.replace(/"[^"]*"?|\d+/g, '#').slice(0, 80)} ${place.trim()}`
    const known = this.#found.get(kind)
    if (known !== undefined) {
      known.times++
      return undefined
    }
    const finding = { ...found, path: this.#write(`${found.reader}-${found.seed}-${found.input}`, file) }
    this.#found.set(kind, { finding, times: 1 })
    return finding
  }

  #write(name: string, file: Buffer): string {
    if (this.#folder === undefined) return ''
    mkdirSync(this.#folder, { recursive: true })
    const path = join(this.#folder, name)
    writeFileSync(path, file)
    return path
  }

  get all(): readonly (FileFinding & { readonly times: number })[] {
    return [...this.#found.values()].map(({ finding, times }) => ({ ...finding, times }))
  }
}
