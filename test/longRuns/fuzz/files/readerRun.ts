/** The run of one reader: its files, its thread, and what was measured. */
import { Random } from '../../soak/random.ts'
import type { FileFindings } from './fileFindings.ts'
import { digestOf, digestOfError, type FileOutcome, type FuzzedReader, undeclared } from './fuzzedReader.ts'
import { KeptFiles } from './keptFiles.ts'
import { mutateBytes } from './mutate/bytes.ts'
import { type CollectedThread, ReaderThread } from './readerThread.ts'

export interface RunBounds {
  /** Milliseconds of processor time that a file may take, and for each KiB of it. A slow file is read again before it counts. */
  readonly slowMs: number
  readonly slowMsOfKib: number
  /** Milliseconds of the clock until the thread is terminated. */
  readonly withinMs: number
  /** The heap of the thread. */
  readonly heapMb: number
  /** Memory of the thread after a garbage collection, beyond that after its first files. */
  readonly mostHeldMb: number
  /** The largest file that is made, bytes. */
  readonly mostBytes: number
}

export const defaultBounds: RunBounds = {
  slowMs: 1_000,
  slowMsOfKib: 4,
  withinMs: 15_000,
  heapMb: 256,
  mostHeldMb: 256,
  mostBytes: 1024 * 1024,
}

export interface ReaderFigures {
  inputs: number
  /** Those that had a result, and not an error. */
  read: number
  /** Those that the product's own thread read too. */
  inProduct: number
  slowestMs: number
  /** Bytes of memory of the thread: the most after a file, and after a garbage collection. */
  mostMemory: number
  heldMemory: number
  /** After the first garbage collection. */
  firstHeldMemory: number
  /** All time, and that of the product's threads. */
  ms: number
  productMs: number
  coverage: CollectedThread['coverage']
}

export interface ReaderRunParts {
  readonly module: string
  readonly seed: number
  readonly bounds: RunBounds
  readonly findings: FileFindings
  report(line: string): void
}

/** Files that are read before a sample of the coverage. */
const batchFiles = 32
/** Of these files one is also read by the product's own thread. So are the kept ones, unless this takes more than its share of the time. */
const productEach = 64
const productShare = 0.3
/** Forms of results. A reader with more has a form that is too fine. */
const mostForms = 5_000

export class ReaderRun {
  readonly reader: FuzzedReader
  readonly #parts: ReaderRunParts
  readonly #thread: ReaderThread
  readonly #forms = new Set<string>()
  #seeds: readonly Buffer[] = []
  readonly #kept = new KeptFiles()
  readonly figures: ReaderFigures = {
    ...{ inputs: 0, read: 0, inProduct: 0, slowestMs: 0, mostMemory: 0, heldMemory: 0, firstHeldMemory: 0 },
    ...{ ms: 0, productMs: 0 },
    coverage: { all: 0, executed: 0 },
  }

  constructor(reader: FuzzedReader, parts: ReaderRunParts) {
    this.reader = reader
    this.#parts = parts
    this.#thread = new ReaderThread(parts.module, reader, parts.bounds)
  }

  get kept(): number {
    return this.#kept.count
  }

  async begin(): Promise<void> {
    this.#seeds = await this.reader.makeSeeds()
    if (this.#seeds.length === 0) throw new Error(`the reader ${this.reader.name} has no seeds`)
    await this.#readAll([...this.#seeds])
    for (const file of this.#seeds) await this.#readInProduct(file)
  }

  /** Makes and reads some files. */
  async go(): Promise<void> {
    await this.#readAll(Array.from({ length: batchFiles }, (_, index) => this.#make(this.figures.inputs + index)))
  }

  /** @returns the result or the error of one file */
  async replay(file: Buffer): Promise<string> {
    const [outcome] = await this.#readAll([file])
    return outcome?.digest ?? ''
  }

  async measure(): Promise<void> {
    const { memory, coverage } = await this.#thread.collect()
    const { figures } = this
    figures.heldMemory = memory
    figures.firstHeldMemory ||= memory
    figures.coverage = coverage
    const growth = Math.round((memory - figures.firstHeldMemory) / 1024 ** 2)
    if (growth > this.#parts.bounds.mostHeldMb)
      this.#found(`the thread holds ${growth} MB more than after its first files`, figures.inputs, Buffer.alloc(0))
  }

  async close(): Promise<void> {
    await this.#thread.close()
    this.reader.close?.()
  }

  #make(number: number): Buffer {
    const random = new Random(seedOf(this.#parts.seed, this.reader.name, number))
    const { read, refused } = this.#kept
    const pick = () => pickFrom(random, this.#seeds, read, refused)
    let file = pick()
    // Most files keep their structure, so that their changes are reached.
    const structured = random.pick([1, 1, 1, 1, 2, 3, 5])
    const plain = random.chance(0.15) ? random.between(1, 4) : 0
    for (let change = 0; change < structured; change++) file = this.reader.mutate(file, random, pick())
    for (let change = 0; change < plain; change++) file = mutateBytes(file, random, pick())
    return file.subarray(0, this.#parts.bounds.mostBytes)
  }

  async #readAll(files: readonly Buffer[]): Promise<readonly FileOutcome[]> {
    const { figures } = this
    const begun = performance.now()
    const first = figures.inputs
    const { outcomes, covering } = await this.#thread.read(files)
    for (const [index, outcome] of outcomes.entries()) {
      const file = files[index] as Buffer
      const input = first + index
      figures.inputs++
      if (outcome.isRead) figures.read++
      figures.mostMemory = Math.max(figures.mostMemory, outcome.memory)
      for (const fault of await this.#confirm(file, outcome)) this.#found(fault, input, file)
      const isNew = covering.has(index) || this.#hasNewForm(outcome)
      if (isNew) this.#kept.add(file, outcome.isRead)
      const hasTime = figures.productMs <= productShare * figures.ms
      if (hasTime && (isNew || input % productEach === 0)) await this.#compare(file, outcome, input)
    }
    figures.ms += performance.now() - begun
    return outcomes
  }

  #hasNewForm({ form }: FileOutcome): boolean {
    if (this.#forms.has(form) || this.#forms.size >= mostForms) return false
    this.#forms.add(form)
    return true
  }

  /** A file that was slow, or has ended its thread, is read again alone: a file before it may be the cause, or a stall of the machine. */
  async #confirm(file: Buffer, outcome: FileOutcome): Promise<readonly string[]> {
    const { slowMs, slowMsOfKib } = this.#parts.bounds
    const mostMs = slowMs + (file.length / 1024) * slowMsOfKib
    if (outcome.hasEndedThread) {
      const again = await this.#readAlone(file)
      return again.hasEndedThread
        ? again.faults
        : outcome.faults.map((fault) => `not reproduced when the file was read alone: ${fault}`)
    }
    let { ms } = outcome
    for (let again = 0; again < 2 && ms > mostMs; again++) ms = Math.min(ms, (await this.#readAlone(file)).ms)
    this.figures.slowestMs = Math.max(this.figures.slowestMs, ms)
    return ms > mostMs
      ? [...outcome.faults, `a file of ${file.length} bytes has taken ${Math.round(ms)} ms`]
      : outcome.faults
  }

  async #readAlone(file: Buffer): Promise<FileOutcome> {
    const { outcomes } = await this.#thread.read([file])
    return outcomes[0] as FileOutcome
  }

  async #compare(file: Buffer, { digest, faults }: FileOutcome, input: number): Promise<void> {
    if (faults.length > 0) return
    const other = await this.#readInProduct(file)
    if (other === undefined || other === digest) return
    const [own, its] = [digest, other].map((one) => one.slice(0, 1_000))
    this.#found(`the product's thread has another result\n  ${its}\n  instead of\n  ${own}`, input, file)
  }

  /** Undefined if the reader has no thread in the product. */
  async #readInProduct(file: Buffer): Promise<string | undefined> {
    const { reader, figures } = this
    if (reader.readInProduct === undefined) return undefined
    figures.inProduct++
    const begun = performance.now()
    try {
      return digestOf(await reader.readInProduct(file))
    } catch (error) {
      if (!reader.isDeclared(error)) this.#found(`in the product's thread: ${undeclared(error)}`, figures.inputs, file)
      return digestOfError(error)
    } finally {
      figures.productMs += performance.now() - begun
    }
  }

  #found(fault: string, input: number, file: Buffer): void {
    const { seed, findings, report } = this.#parts
    const finding = findings.add({ reader: this.reader.name, fault, seed, input }, file)
    if (finding !== undefined)
      report(`FOUND ${finding.reader}, input ${input} of seed ${seed}: ${fault}\n  ${finding.path}`)
  }
}

type Files = readonly Buffer[]

function pickFrom(random: Random, seeds: Files, read: Files, refused: Files): Buffer {
  const files = random.pick([seeds, read, read, read, refused])
  return random.pick(files.length === 0 ? seeds : files)
}

/** Another seed for each reader and input. */
function seedOf(seed: number, reader: string, number: number): number {
  let hash = seed | 0
  for (const character of `${reader} ${number}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return hash
}
