/** Writes symbol tables in worker threads, with bounds on their time, their memory and their number. */
import { type TaskThread, ThreadEnded, ThreadPool } from '../../../limits/threadPool.ts'
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
  /** No one waits for the tables: the threads have a low priority. */
  readonly isBackground: boolean
  /** For each of: a piece that is read, the DWARF of the slice, a piece that is written. */
  readonly withinMs: number
}

/** A gigabyte of DWARF needs about twice as much. */
const defaultBounds: SymbolTableBounds = {
  atOnce: 1,
  mostMemory: 3 * 1024 ** 3,
  isBackground: false,
  withinMs: 10 * 60_000,
}
/** Bytes of one read. */
const pieceBytes = 4 * 1024 * 1024
/** Bytes of the sections of a slice after which a thread is kept for the next one. Memory is given back for certain if the thread ends. */
const keptBytes = 64 * 1024 * 1024
/** The names of a large app take some 50 MB of the heap. */
const heapMb = 512

const empty: MachORange = { offset: 0, size: 0 }

type SymbolThread = TaskThread<ToSymbolThread, FromSymbolThread>

export class SymbolTableWriter {
  readonly #bounds: SymbolTableBounds
  readonly #threads: ThreadPool<ToSymbolThread, FromSymbolThread>

  constructor(bounds: Partial<SymbolTableBounds> = {}) {
    this.#bounds = { ...defaultBounds, ...bounds }
    const { atOnce } = this.#bounds
    this.#threads = new ThreadPool(new URL('./symbolThread.ts', import.meta.url), { atOnce, heapMb })
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
    const sections = sectionsOf(slice, machO)
    const result = await this.#threads.run(async (thread) => {
      try {
        return await this.#write(thread, sections, machO, take)
      } catch (error) {
        // A thread that has refused a slice is as good as before.
        if (error instanceof SymbolsDamaged) return error
        throw error
      }
    })
    if (result instanceof SymbolsDamaged) throw result
    return result
  }

  close(): void {
    this.#threads.close()
  }

  async #write(
    thread: SymbolThread,
    sections: readonly ByteSource[],
    { codeSections, is64 }: MachOSlice,
    take: (piece: Uint8Array) => Promise<void>,
  ): Promise<SymbolTableStatistics> {
    const ask = (message: ToSymbolThread) => this.#ask(thread, message)
    const sizes = sections.map(({ size }) => size)
    const { mostMemory, isBackground } = this.#bounds
    await ask({ type: 'begin', sizes, codeSections, mostMemory, isBackground })
    for (const [section, source] of sections.entries())
      for (let offset = 0; offset < source.size; offset += pieceBytes) {
        const bytes = await source.read(offset, Math.min(pieceBytes, source.size - offset))
        await ask({ type: 'bytes', section, offset, bytes })
      }
    await ask({ type: 'build', is64 })
    for (;;) {
      const answer = await ask({ type: 'next' })
      if (answer.type === 'piece') await take(answer.bytes)
      if (answer.type !== 'ended') continue
      if (sizes.reduce((sum, size) => sum + size, 0) > keptBytes) thread.retire()
      return answer.statistics
    }
  }

  async #ask(thread: SymbolThread, message: ToSymbolThread): Promise<FromSymbolThread> {
    const { withinMs } = this.#bounds
    thread.post(message)
    const answer = await thread.next({ ms: withinMs }).catch((error) => {
      throw problemOf(error, withinMs)
    })
    if (answer.type !== 'refused') return answer
    throw new (answer.problem === 'SymbolsTooLarge' ? SymbolsTooLarge : SymbolsDamaged)(answer.message)
  }
}

function problemOf(error: unknown, withinMs: number): unknown {
  if (!(error instanceof ThreadEnded)) return error
  if (error.reason === 'LATE') return new SymbolsTooLarge(`need more than ${withinMs / 1_000} s for one part`)
  if (error.reason === 'MEMORY') return new SymbolsTooLarge(`need more than ${heapMb} MB for their names`)
  return error
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
