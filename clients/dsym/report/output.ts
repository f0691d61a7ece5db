/** Prints lines for the reader of a log: a person at a terminal, or of a CI step. */
import { cleanText } from './cleanText.ts'
import type { Masks } from './masks.ts'

export interface Output {
  info(text: string): void
  warn(text: string): void
  error(text: string): void
  /** Removes secrets from a text that is written elsewhere. */
  mask(text: string): string
  /** Receives the state of the work in progress, as often as it changes. `undefined`: it has ended. */
  progress(state: Progress | undefined): void
}

export interface Progress {
  /** Such as `Sending dSYMs.zip`. */
  readonly label: string
  readonly done: number
  readonly total: number
}

export interface OutputPlace {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
  /** Whether progress can be drawn again in the same line. */
  readonly isTerminal: boolean
  /** Whether lines that begin with `::` are commands to GitHub. */
  readonly isGitHub: boolean
}

/** Prints the commands that mask secrets in the log of GitHub first. */
export function createOutput(place: OutputPlace, masks: Masks, now: () => number = () => performance.now()): Output {
  const { stdout, stderr, isTerminal, isGitHub } = place
  const drawing = isTerminal ? new ProgressBar(stderr, now) : new ProgressLines((text) => info(text), now)
  const clean = (text: string) => cleanText(masks.apply(text))
  const info = (text: string) => {
    drawing.clear()
    // A line of a log must not be a command to GitHub.
    stdout.write(`${isGitHub ? clean(text).replace(/^\s*::/, ' : :') : clean(text)}\n`)
  }
  const annotate = (level: 'warning' | 'error', text: string) => {
    drawing.clear()
    if (isGitHub) stdout.write(`::${level}::${escapeData(clean(text))}\n`)
    else stderr.write(`${level}: ${clean(text)}\n`)
  }
  if (isGitHub) for (const secret of masks.secrets) stdout.write(`::add-mask::${escapeData(secret)}\n`)
  return {
    info,
    warn: (text) => annotate('warning', text),
    error: (text) => annotate('error', text),
    mask: (text) => masks.apply(text),
    progress: (state) => drawing.show(state),
  }
}

/** As GitHub reads the text of a command. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

interface Drawing {
  show(state: Progress | undefined): void
  /** Called before another line is printed. */
  clear(): void
}

const redrawMs = 100
const lineMs = 10_000
const barWidth = 30

class ProgressBar implements Drawing {
  readonly #stream: OutputPlace['stderr']
  readonly #now: () => number
  #drawnAt = Number.NEGATIVE_INFINITY
  #isDrawn = false

  constructor(stream: OutputPlace['stderr'], now: () => number) {
    this.#stream = stream
    this.#now = now
  }

  show(state: Progress | undefined): void {
    if (state === undefined) {
      this.clear()
      return
    }
    if (this.#now() - this.#drawnAt < redrawMs) return
    this.#drawnAt = this.#now()
    const filled = Math.round(barWidth * partOf(state))
    const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`
    this.#stream.write(`\r\u001b[K${cleanText(state.label, 60)} ${bar} ${percentOf(state)}`)
    this.#isDrawn = true
  }

  clear(): void {
    if (this.#isDrawn) this.#stream.write('\r\u001b[K')
    this.#isDrawn = false
    this.#drawnAt = Number.NEGATIVE_INFINITY
  }
}

/** A log keeps all lines, so there is one in ten seconds. */
class ProgressLines implements Drawing {
  readonly #print: (text: string) => void
  readonly #now: () => number
  #label = ''
  #printedAt = 0

  constructor(print: (text: string) => void, now: () => number) {
    this.#print = print
    this.#now = now
  }

  show(state: Progress | undefined): void {
    const now = this.#now()
    if (state?.label !== this.#label) {
      this.#label = state?.label ?? ''
      this.#printedAt = now
    } else if (now - this.#printedAt >= lineMs) {
      this.#printedAt = now
      this.#print(`${state.label}: ${percentOf(state)}`)
    }
  }

  clear(): void {}
}

function partOf({ done, total }: Progress): number {
  return total === 0 ? 1 : Math.min(1, done / total)
}

function percentOf(state: Progress): string {
  return `${Math.floor(100 * partOf(state))} %`
}
