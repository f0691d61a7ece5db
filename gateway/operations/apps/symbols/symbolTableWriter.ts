/** Writes symbol tables in worker threads, with bounds on their time, their memory and their number. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Semaphore } from '../../../limits/semaphore.ts'
import { type ByteSource, partOf } from '../dsymFiles/byteSource.ts'
import type { MachORange, MachOSlice } from '../dsymFiles/readMachO.ts'
import { readSections } from './dwarfReader.ts'
import { SymbolsDamaged, SymbolsTooLarge } from './symbolProblems.ts'
import type { FromSymbolThread, ToSymbolThread } from './symbolThread.ts'
import type { SymbolTableStatistics } from './tableFormat.ts'

export interface SymbolTableBounds {
  readonly atOnce: number
  /** Bytes of memory of WebAssembly, for the sections of one slice and all that is made of them. It is used only as far as a slice needs it. */
  readonly mostMemory: number
  /** For each of: a piece that is read, the DWARF of the slice, a piece that is written. */
  readonly withinMs: number
}

/** A gigabyte of DWARF needs about twice as much. */
const defaultBounds: SymbolTableBounds = { atOnce: 1, mostMemory: 3 * 1024 ** 3, withinMs: 10 * 60_000 }
/** Bytes of one read. */
const pieceBytes = 4 * 1024 * 1024
/** Bytes of the sections of a slice after which a thread is kept for the next one. Memory is given back for certain if the thread ends. */
const keptBytes = 64 * 1024 * 1024
/** The names of a large app take some 50 MB of the heap. */
const heapMb = 512

const empty: MachORange = { offset: 0, size: 0 }

export class SymbolTableWriter {
  readonly #bounds: SymbolTableBounds
  readonly #turns: Semaphore
  /** Threads that have written a table and wait for another one. */
  readonly #idle: Worker[] = []

  constructor(bounds: Partial<SymbolTableBounds> = {}) {
    this.#bounds = { ...defaultBounds, ...bounds }
    this.#turns = new Semaphore(this.#bounds.atOnce)
  }

  /**
   * @param slice the bytes of the slice: a part of the file if the file has several
   * @param take receives the table in order. The next piece is made after it has returned. An error of it ends the writing.
   * @throws SymbolsTooLarge, SymbolsDamaged, and the errors of the source and of `take`
   */
  async write(
    slice: ByteSource,
    machO: MachOSlice,
    take: (piece: Uint8Array) => Promise<void>,
  ): Promise<SymbolTableStatistics> {
    return await this.#turns.run(() => this.#write(slice, machO, take))
  }

  close(): void {
    for (const thread of this.#idle.splice(0)) void thread.terminate()
  }

  async #write(
    slice: ByteSource,
    machO: MachOSlice,
    take: (piece: Uint8Array) => Promise<void>,
  ): Promise<SymbolTableStatistics> {
    const sections = sectionsOf(slice, machO)
    const thread = this.#idle.pop() ?? this.#start()
    thread.ref()
    let isKept = false
    try {
      const ask = (message: ToSymbolThread) => this.#ask(thread, message)
      const sizes = sections.map(({ size }) => size)
      await ask({ type: 'begin', sizes, codeSections: machO.codeSections, mostMemory: this.#bounds.mostMemory })
      for (const [section, source] of sections.entries())
        for (let offset = 0; offset < source.size; offset += pieceBytes) {
          const bytes = await source.read(offset, Math.min(pieceBytes, source.size - offset))
          await ask({ type: 'bytes', section, offset, bytes })
        }
      await ask({ type: 'build', is64: machO.is64 })
      for (;;) {
        const answer = await ask({ type: 'next' })
        if (answer.type === 'piece') await take(answer.bytes)
        if (answer.type === 'ended') {
          isKept = sizes.reduce((sum, size) => sum + size, 0) <= keptBytes
          return answer.statistics
        }
      }
    } catch (error) {
      isKept = error instanceof SymbolsDamaged
      throw error
    } finally {
      if (isKept) this.#keep(thread)
      else await thread.terminate()
    }
  }

  async #ask(thread: Worker, message: ToSymbolThread): Promise<FromSymbolThread> {
    const { withinMs } = this.#bounds
    const late = AbortSignal.timeout(withinMs)
    let answer: FromSymbolThread
    try {
      const answered = once(thread, 'message', { signal: late })
      thread.postMessage(message)
      ;[answer] = (await answered) as [FromSymbolThread]
    } catch (error) {
      if (late.aborted) throw new SymbolsTooLarge(`need more than ${withinMs / 1_000} s for one part`)
      if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new SymbolsTooLarge(`need more than ${heapMb} MB for their names`)
      throw error
    }
    if (answer.type !== 'refused') return answer
    throw new (answer.problem === 'SymbolsTooLarge' ? SymbolsTooLarge : SymbolsDamaged)(answer.message)
  }

  /** A thread that waits does not keep the process running. */
  #keep(thread: Worker): void {
    thread.unref()
    this.#idle.push(thread)
  }

  #start(): Worker {
    const thread = new Worker(new URL('./symbolThread.ts', import.meta.url), {
      // The options of this process may be valid for it alone.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    // An error of a thread that works is that of its slice.
    thread.on('error', () => {})
    thread.once('exit', () => {
      const place = this.#idle.indexOf(thread)
      if (place >= 0) this.#idle.splice(place, 1)
    })
    return thread
  }
}

/** In the order in which they are read. A section that the slice does not have is empty. */
function sectionsOf(slice: ByteSource, { dwarf, symbols }: MachOSlice): readonly ByteSource[] {
  const own: Readonly<Record<string, MachORange | undefined>> = {
    symbols: symbols?.table,
    'symbol names': symbols?.names,
  }
  try {
    return readSections.map((name) => {
      const { offset, size } = own[name] ?? dwarf.get(name) ?? empty
      return partOf(slice, offset, size)
    })
  } catch (error) {
    if (error instanceof RangeError) throw new SymbolsDamaged(`are cut off: ${error.message}`)
    throw error
  }
}
