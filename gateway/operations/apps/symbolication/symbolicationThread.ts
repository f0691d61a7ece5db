/** A thread that symbolicates crash reports, one after the other. It keeps symbol tables open, because reports of one build follow each other. */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { type BytesAnswer, type BytesRequest, RequestedBytes } from '../dsymFiles/requestedBytes.ts'
import { type PlacedFrame, placeOfCrash } from '../groups/crashPlace.ts'
import { SymbolTable } from '../symbols/symbolTable.ts'
import { encodeThreads } from '../threads/encodeThreads.ts'
import { decodeThreads } from '../threads/threadFile.ts'
import { type ImageSymbols, symbolicate } from './symbolicate.ts'

/** The symbol table of an image. */
export interface TableToUse {
  readonly uuid: string
  readonly blob: string
  /** Bytes. */
  readonly size: number
  /** In hexadecimal. */
  readonly textAddress: string
}

export type ToSymbolicationThread =
  | {
      readonly type: 'symbolicate'
      /** The file with the threads and images (`encodeThreads`). */
      readonly content: Uint8Array
      /** Bytes of their JSON. */
      readonly mostBytes: number
      readonly tables: readonly TableToUse[]
    }
  | BytesAnswer

export type FromSymbolicationThread =
  | BytesRequest
  | {
      readonly type: 'symbolicated'
      /** The file with the threads and images after the symbolication. */
      readonly content: Uint8Array
      readonly named: number
      readonly unnamed: number
      readonly place: readonly PlacedFrame[]
      /** The tables that could not be read, with the reason. */
      readonly damaged: readonly { readonly uuid: string; readonly problem: string }[]
    }
  | { readonly type: 'refused'; readonly problem: string }

const port = parentPort
if (port === null) throw new Error('this file can run only as a worker thread')

// Requests of people come first. Linux has a priority for each thread, other systems only for the whole process.
if (process.platform === 'linux') setPriority(10)

/** A table keeps a megabyte of its pages. */
const openTables = 32

const post = (message: FromSymbolicationThread): void => port.postMessage(message)
const storage = new RequestedBytes(post)
const tables = new LRUCache<string, SymbolTable>({ max: openTables })

port.on('message', async (message: ToSymbolicationThread) => {
  if (message.type === 'symbolicate') post(await answerTo(message))
  else storage.take(message)
})

type Job = Extract<ToSymbolicationThread, { readonly type: 'symbolicate' }>

async function answerTo(job: Job): Promise<FromSymbolicationThread> {
  try {
    return await nameFrames(job)
  } catch (error) {
    return { type: 'refused', problem: `The threads of the report cannot be read: ${messageOf(error)}` }
  }
}

async function nameFrames({ content, mostBytes, tables: usable }: Job): Promise<FromSymbolicationThread> {
  const report = await decodeThreads(content, mostBytes)
  const damaged = new Map<string, string>()
  const byUuid = new Map(usable.map((table) => [table.uuid, table]))
  const result = await symbolicate(report, async (uuid) => {
    const table = byUuid.get(uuid)
    return table === undefined ? undefined : await openSymbols(table, damaged)
  })
  return {
    type: 'symbolicated',
    content: await encodeThreads(result.content),
    named: result.named,
    unnamed: result.unnamed,
    place: placeOfCrash(result.content),
    damaged: [...damaged].map(([uuid, problem]) => ({ uuid, problem })),
  }
}

/** An image with a damaged table has no symbols. The others are used. */
async function openSymbols(
  { uuid, blob, size, textAddress }: TableToUse,
  damaged: Map<string, string>,
): Promise<ImageSymbols | undefined> {
  if (damaged.has(uuid)) return undefined
  const fail = (error: unknown): void => {
    tables.delete(blob)
    damaged.set(uuid, messageOf(error))
  }
  let table = tables.get(blob)
  try {
    table ??= await SymbolTable.open(storage.sourceOf(blob, size))
    tables.set(blob, table)
  } catch (error) {
    fail(error)
    return undefined
  }
  const opened = table
  const lookUp: SymbolTable['lookUp'] = async (address) => {
    try {
      return damaged.has(uuid) ? [] : await opened.lookUp(address)
    } catch (error) {
      fail(error)
      return []
    }
  }
  return { table: { lookUp }, textAddress: BigInt(`0x${textAddress}`) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
