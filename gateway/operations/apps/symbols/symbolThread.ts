/** A thread that writes symbol tables, one after the other. */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { CodeSection } from '../dsymFiles/readMachO.ts'
import { Demangler } from './demangler.ts'
import { DwarfReader } from './dwarfReader.ts'
import { encodeTable } from './encodeTable.ts'
import { SymbolsDamaged, SymbolsTooLarge } from './symbolProblems.ts'
import type { SymbolTableStatistics } from './tableFormat.ts'

/** One answer follows each. They come in this order, `bytes` and `next` several times. */
export type ToSymbolThread =
  | {
      readonly type: 'begin'
      /** The sizes of the sections that are read, in their order. */
      readonly sizes: readonly number[]
      readonly codeSections: readonly CodeSection[]
      /** Bytes. */
      readonly mostMemory: number
      /** Requests of people come first. */
      readonly isBackground: boolean
    }
  | { readonly type: 'bytes'; readonly section: number; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly type: 'build'; readonly is64: boolean }
  | { readonly type: 'next' }

export type FromSymbolThread =
  | { readonly type: 'done' }
  | { readonly type: 'piece'; readonly bytes: Uint8Array }
  | { readonly type: 'ended'; readonly statistics: SymbolTableStatistics }
  | { readonly type: 'refused'; readonly problem: 'SymbolsTooLarge' | 'SymbolsDamaged'; readonly message: string }

/** As `nice -n 10`. */
const backgroundPriority = 10

const port = parentPort
if (port === null) throw new Error('this file can run only as a worker thread')

interface SliceInWork {
  readonly reader: DwarfReader
  /** The places of the bytes of each section. */
  readonly places: readonly number[]
  table?: ReturnType<typeof encodeTable>
}

let slice: SliceInWork | undefined
const demangler = new Demangler()

port.on('message', (message: ToSymbolThread) => port.postMessage(answerTo(message)))

function answerTo(message: ToSymbolThread): FromSymbolThread {
  try {
    return handle(message)
  } catch (error) {
    slice = undefined
    if (!(error instanceof SymbolsTooLarge || error instanceof SymbolsDamaged)) throw error
    return { type: 'refused', problem: error.name, message: error.message }
  }
}

function handle(message: ToSymbolThread): FromSymbolThread {
  if (message.type === 'begin') {
    // Linux has a priority for each thread, other systems only for the whole process.
    if (message.isBackground && process.platform === 'linux') setPriority(backgroundPriority)
    const reader = new DwarfReader(message.mostMemory)
    const places = message.sizes.map((size, kind) => reader.addSection(kind, size))
    for (const section of message.codeSections) reader.addCodeSection(section)
    slice = { reader, places }
    return { type: 'done' }
  }
  if (slice === undefined) throw new Error(`no slice was begun before ${message.type}`)
  if (message.type === 'bytes') {
    slice.reader.fill((slice.places[message.section] ?? 0) + message.offset, message.bytes)
    return { type: 'done' }
  }
  if (message.type === 'build') {
    slice.reader.build(message.is64)
    slice.table = encodeTable(slice.reader, demangler)
    return { type: 'done' }
  }
  return nextPiece(slice)
}

function nextPiece({ table }: SliceInWork): FromSymbolThread {
  for (;;) {
    const next = table?.next()
    if (next === undefined) throw new Error('the slice was not built')
    if (next.done) {
      slice = undefined
      return { type: 'ended', statistics: next.value }
    }
    if (next.value.length > 0) return { type: 'piece', bytes: next.value }
  }
}
