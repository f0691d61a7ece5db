/**
 * Test files that share a process. Most files load the same modules: in a process of its own, each would spend most of its processor time on
 * that. Each file is a suite of the process, so its hooks run for its own tests only, and the files run one after another.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Progress, TestRunnerEvent } from './progress.ts'

/** The files of one process, paths from the project's folder. */
export interface Group {
  readonly files: readonly string[]
  /** The module that runs them: the file itself if there is only one. */
  readonly module: string
}

/** With more files, a process would run alone at the end, while other processors have nothing to do. */
const mostFiles = 10

/**
 * Groups the files of the same room (`test/gateway`), in order. A group is where its first file was.
 *
 * @param isShared whether a file may share its process
 */
export function groupFiles(
  files: readonly string[],
  isShared: (file: string) => boolean,
): readonly (readonly string[])[] {
  const groups: string[][] = []
  const open = new Map<string, string[]>()
  for (const file of files) {
    const room = file.split('/').slice(0, 2).join('/')
    const group = isShared(file) ? open.get(room) : undefined
    if (group !== undefined && group.length < mostFiles) {
      group.push(file)
      continue
    }
    const next = [file]
    groups.push(next)
    if (isShared(file)) open.set(room, next)
  }
  return groups
}

/** Writes the module that runs the files in one process. */
export function writeGroup(root: string, folder: string, files: readonly string[]): Group {
  const [first = ''] = files
  if (files.length === 1) return { files, module: join(root, first) }
  const module = join(folder, 'groups', `${first.replaceAll('/', '-')}.mjs`)
  const suites = files.map((file) => {
    const url = pathToFileURL(resolve(root, file)).href
    return `describe(${JSON.stringify(file)}, async () => void (await import(${JSON.stringify(url)})))\n`
  })
  mkdirSync(join(folder, 'groups'), { recursive: true })
  writeFileSync(module, `import { describe } from 'node:test'\n${suites.join('')}`)
  return { files, module }
}

/** The run of a group. */
export class GroupRun {
  readonly #group: Group
  readonly #waiting: Set<string>
  #current: string
  /** The output of a process of several files. Node passes it on earlier than the results, so the file is not known. */
  #output = ''
  #hasFailed = false

  constructor(group: Group) {
    this.#group = group
    this.#waiting = new Set(group.files)
    this.#current = group.files[0] ?? ''
  }

  /** The file whose tests run. */
  get current(): string {
    return this.#current
  }

  /** Runs the files, and yields the text to print. */
  async *run(progress: Progress): AsyncGenerator<string> {
    for await (const event of run({ files: [this.#group.module] })) {
      const file = this.#findFile(event as TestRunnerEvent)
      if (file !== undefined) yield progress.handle(file, event as TestRunnerEvent)
    }
    for (const file of this.#waiting) yield progress.handleNotRun(file, this.#current)
    if (this.#hasFailed || this.#waiting.size > 0) yield progress.showOutput(this.#group.files, this.#output)
  }

  /** Returns the path of the file that sent the event, or undefined if the event is only about the process of several files. */
  #findFile({ type, data: { name, nesting, message, details } }: TestRunnerEvent): string | undefined {
    const { files, module } = this.#group
    if (files.length > 1 && (type === 'test:stdout' || type === 'test:stderr')) {
      this.#output += message ?? ''
      return undefined
    }
    if (nesting !== 0 || name === undefined) return this.#current
    if (type === 'test:complete' && details?.error !== undefined) this.#hasFailed = true
    if (name === module && files.length > 1) return undefined
    const file = name === module ? files[0] : files.find((one) => one === name)
    if (file !== undefined && type === 'test:dequeue') this.#current = file
    if (file !== undefined && type === 'test:complete') this.#waiting.delete(file)
    return file ?? this.#current
  }
}
