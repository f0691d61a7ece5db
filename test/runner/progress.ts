/**
 * The output of `npm test`: a failed test as soon as it ends. A terminal also has one line that is updated: how many files are
 * done, and which run now. Elsewhere the output is TAP 13, which CI servers read: a line for each file, and for each failed test.
 */
import { relative, resolve } from 'node:path'
import { inspect } from 'node:util'

/** The fields of Node's reporter events that are read here. `test:complete` is sent as soon as a test ends. */
export interface TestRunnerEvent {
  readonly type: string
  readonly data: {
    readonly name?: string
    readonly nesting?: number
    /** The declaration of a test. */
    readonly file?: string | undefined
    readonly line?: number
    readonly message?: string
    readonly skip?: string | boolean
    readonly todo?: string | boolean
    readonly details?: {
      readonly passed?: boolean
      readonly duration_ms?: number
      readonly type?: string
      readonly error?: Error & { readonly failureType?: string; readonly cause?: unknown }
    }
  }
}

interface FileProgress {
  output: string
  /** The test that runs. */
  current?: string | undefined
  tests: number
  failed: number
  skipped: number
}

const maxRunningShown = 3
const maxFailuresListed = 50
/** Characters of a problem in the summary. */
const maxSummarized = 240
/** Characters of a failed file's output. */
const maxOutput = 8_000

export class Progress {
  readonly #columns: number | undefined
  readonly #root: string
  readonly #files = new Map<string, FileProgress>()
  readonly #running = new Set<string>()
  readonly #failures: { readonly title: string; readonly problem: string }[] = []
  /** Number of skipped tests by reason. */
  readonly #skips = new Map<string, number>()
  readonly #startedAt: number
  readonly #total: number
  #done = 0
  /** Lines of TAP. */
  #lines = 0

  /**
   * @param total number of files
   * @param columns of the terminal, `undefined` if the output is not a terminal
   */
  constructor(root: string, total: number, columns: number | undefined) {
    this.#root = root
    this.#total = total
    this.#columns = columns
    this.#startedAt = performance.now()
  }

  get hasFailed(): boolean {
    return this.#failures.length > 0
  }

  /** Paths of the test files with a failure. */
  get failedFiles(): readonly string[] {
    return [...this.#files].flatMap(([path, { failed }]) => (failed > 0 ? [path] : []))
  }

  /**
   * Returns the text to print.
   * @param path of the test file whose run sent the event. A test may be declared in another file, which `data.file` names.
   */
  handle(path: string, { type, data }: TestRunnerEvent): string {
    const isFile =
      data.nesting === 0 && data.name !== undefined && resolve(this.#root, data.name) === resolve(this.#root, path)
    switch (type) {
      case 'test:dequeue':
        if (!isFile) {
          this.#file(path).current = data.name
          return ''
        }
        this.#running.add(path)
        return this.#statusLine()
      case 'test:stdout':
      case 'test:stderr':
        this.#file(path).output += data.message ?? ''
        return ''
      case 'test:complete':
        return isFile ? this.#completeFile(path, data) : this.#completeTest(path, data)
      default:
        return ''
    }
  }

  /** Returns the text to print. The events of the end of the file follow. */
  handleKilled(path: string, limitMs: number): string {
    const file = this.#file(path)
    file.failed++
    const end = `It did not end within ${duration(limitMs / 1000)}, and was killed`
    const reason =
      file.current === undefined
        ? '. Usually a process that it started still runs.'
        : ` during the test “${file.current}”.`
    return this.#fail(path, end + reason)
  }

  /**
   * Returns the text to print for a file that did not end because the process that it shares with others ended.
   * @param during the file whose tests ran when it ended
   */
  handleNotRun(path: string, during: string): string {
    this.#running.delete(path)
    this.#done++
    const file = this.#file(path)
    if (file.failed > 0) return ''
    file.failed++
    return this.#fail(
      path,
      path === during
        ? `Its process ended${file.current === undefined ? '' : ` during the test “${file.current}”`}.`
        : `It did not run: its process ended during ${during}.`,
    )
  }

  /** Returns the text to print for the output of a process. */
  showOutput(files: readonly string[], output: string): string {
    const end = output.trimEnd().slice(-maxOutput)
    return end === '' ? '' : `${this.#clear()}${this.#comment}output of ${files.join(', ')}:\n${indent(end)}\n`
  }

  /** The text before all other output. */
  begin(): string {
    return this.#columns === undefined ? 'TAP version 13\n' : ''
  }

  /** The summary. */
  end(): string {
    const files = [...this.#files.values()]
    const sum = (count: (file: FileProgress) => number): number => files.reduce((total, file) => total + count(file), 0)
    const seconds = Math.round((performance.now() - this.#startedAt) / 1000)
    const counts = {
      tests: sum((file) => file.tests),
      fail: this.#failures.length,
      skipped: sum((file) => file.skipped),
    }
    const lines = [...this.#skips].map(([reason, count]) => `skipped: ${plural(count, 'test')} (${reason})`)
    if (this.#failures.length > 0) lines.push('failed:')
    for (const { title, problem } of this.#failures.slice(0, maxFailuresListed))
      lines.push(`  ${title}`, `    ${summarize(problem)}`)
    const rest = this.#failures.length - maxFailuresListed
    if (rest > 0) lines.push(`  and ${rest} more`)
    const tests = `${plural(counts.tests, 'test')}, ${counts.fail} failed, ${counts.skipped} skipped`
    lines.push(`${plural(this.#done, 'file')}, ${tests}, ${duration(seconds)}`)
    if (this.#columns !== undefined) return `${this.#clear()}${lines.join('\n')}\n`
    for (const [name, count] of Object.entries(counts)) lines.push(`${name} ${count}`)
    return `1..${this.#lines}\n${lines.map((line) => `# ${line}\n`).join('')}`
  }

  #file(path: string): FileProgress {
    const file = this.#files.get(path) ?? { output: '', tests: 0, failed: 0, skipped: 0 }
    this.#files.set(path, file)
    return file
  }

  #completeTest(path: string, { name, file: declaredIn, line, skip, todo, details }: TestRunnerEvent['data']): string {
    const file = this.#file(path)
    if (file.current === name) file.current = undefined
    const isSuite = details?.type === 'suite'
    if (!isSuite) file.tests++
    if (skip !== undefined && skip !== false && !isSuite) {
      const reason = typeof skip === 'string' && skip !== '' ? skip : `${path}: ${name}`
      this.#skips.set(reason, (this.#skips.get(reason) ?? 0) + 1)
      file.skipped++
    }
    const error = details?.error
    // A suite or test that fails only because of a test in it is not reported twice.
    if (error === undefined || (todo !== undefined && todo !== false) || error.failureType === 'subtestsFailed')
      return ''
    file.failed++
    const place = relative(this.#root, resolve(this.#root, declaredIn ?? path))
    const from = place === path ? '' : ` (from ${path})`
    return this.#fail(`${place}:${line ?? 1} ${name}${from}`, inspect(error.cause ?? error))
  }

  #completeFile(path: string, { details }: TestRunnerEvent['data']): string {
    const file = this.#file(path)
    this.#running.delete(path)
    this.#done++
    let text = ''
    if (details?.error !== undefined) {
      // For example the file does not load, or its process was killed.
      if (file.failed === 0) {
        file.failed++
        text += this.#fail(path, String(details.error.message))
      }
      text += this.showOutput([path], file.output)
    }
    file.output = ''
    if (this.#columns !== undefined) return text + this.#statusLine()
    const state = details?.error === undefined ? 'ok' : 'not ok'
    const skipped = file.skipped > 0 ? `, ${file.skipped} skipped` : ''
    const took = ((details?.duration_ms ?? 0) / 1000).toFixed(1)
    return `${text}${state} ${++this.#lines} - ${path} # ${plural(file.tests, 'test')}${skipped}, ${took} s, ${this.#count()} files\n`
  }

  #fail(title: string, problem: string): string {
    this.#failures.push({ title, problem })
    if (this.#columns === undefined) return `not ok ${++this.#lines} - ${title}\n  ---\n${indent(problem)}\n  ...\n`
    return `${this.#clear()}FAILED ${title}\n${indent(problem)}\n${this.#statusLine()}`
  }

  get #comment(): string {
    return this.#columns === undefined ? '# ' : ''
  }

  #count(): string {
    return `${String(this.#done).padStart(String(this.#total).length)}/${this.#total}`
  }

  #statusLine(): string {
    if (this.#columns === undefined) return ''
    const running = [...this.#running]
    const more = running.length > maxRunningShown ? ` and ${running.length - maxRunningShown} more` : ''
    const names = running.slice(0, maxRunningShown).map((path) => path.replace(/^test\/|\.test\.ts$/g, ''))
    const text = `${this.#count()} files, ${this.#failures.length} failed. Running: ${names.join(', ')}${more}`
    return `${this.#clear()}${text.slice(0, this.#columns - 1)}`
  }

  #clear(): string {
    return this.#columns === undefined ? '' : '\r\x1b[2K'
  }
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function duration(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** The beginning of a problem in one line, without its stack. A CI server often shows only the end of the output. */
function summarize(problem: string): string {
  const [text = ''] = problem.split(/\n\s+at /)
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > maxSummarized ? `${line.slice(0, maxSummarized)}…` : line
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}
