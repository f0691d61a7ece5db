/** A thread that reads one zip. */
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { parentPort } from 'node:worker_threads'
import { type DsymZip, readDsymZip, ZipProblem, type ZippedFile } from '../dsymFiles/dsymZip.ts'
import { sourceOfFile } from '../dsymFiles/fileSource.ts'
import { MachOProblem, readMachO } from '../dsymFiles/readMachO.ts'
import { RequestedBytes } from '../dsymFiles/requestedBytes.ts'
import { type BundleFacts, readInfoPlist } from './infoPlist.ts'
import type { FromZipThread, ListedZip, ToZipThread, ZipThreadAnswer } from './zipThreadMessages.ts'

const port = parentPort
if (port === null) throw new Error('this file can run only as a worker thread')

/** An Info.plist has some KiB. */
const largestPlist = 1024 * 1024

const storage = new RequestedBytes(post)
const files = new Map<string, ZippedFile>()

port.on('message', async (message: ToZipThread) => {
  switch (message.type) {
    case 'bytes':
    case 'noBytes':
      storage.take(message)
      break
    default:
      post(await answerTo(message))
  }
})

function post(message: FromZipThread): void {
  port?.postMessage(message)
}

async function answerTo(
  message: Extract<ToZipThread, { readonly type: 'list' | 'extract' }>,
): Promise<ZipThreadAnswer> {
  try {
    if (message.type === 'list') {
      const { blob, size, ...bounds } = message
      return { type: 'listed', zip: await list(await readDsymZip(storage.sourceOf(blob, size), bounds)) }
    }
    return { type: 'extracted', slices: await extract(message.path, message.to) }
  } catch (error) {
    if (error instanceof MachOProblem) return { type: 'unreadable', problem: error.message }
    if (error instanceof ZipProblem) return { type: 'refused', problem: error.message }
    const { message: problem } = error as Error
    // An error of the operating system is no problem of the zip.
    if (error instanceof Error && 'syscall' in error) return { type: 'failed', problem }
    return { type: 'refused', problem: `cannot be read: ${problem}` }
  }
}

async function list({ bundles, links }: DsymZip): Promise<ListedZip> {
  const listed: ListedZip['bundles'][number][] = []
  for (const { path, infoPlist, symbols } of bundles) {
    for (const file of symbols) files.set(file.path, file)
    const facts = infoPlist && (await readFacts(infoPlist))
    listed.push({ path, facts, symbols: symbols.map((file) => ({ path: file.path, size: file.size })) })
  }
  return { bundles: listed, links }
}

/** Undefined if it is damaged: the symbols are as good without it. */
async function readFacts(file: ZippedFile): Promise<BundleFacts | undefined> {
  if (file.size > largestPlist) return undefined
  const chunks: Buffer[] = []
  for await (const chunk of await file.open()) chunks.push(chunk as Buffer)
  try {
    return readInfoPlist(Buffer.concat(chunks))
  } catch {
    return undefined
  }
}

async function extract(path: string, to: string) {
  const file = files.get(path)
  if (file === undefined) throw new Error(`the zip has no file ${path}`)
  const packed = await file.open()
  await pipeline(packed, createWriteStream(to, { flags: 'wx', mode: 0o600 }))
  const unpacked = await open(to)
  try {
    return await readMachO(sourceOfFile(unpacked, { offset: 0, size: file.size }))
  } finally {
    await unpacked.close()
  }
}
