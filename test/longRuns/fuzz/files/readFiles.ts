/** A thread that reads files with one reader, one after the other. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { Coverage } from './coverage.ts'
import { type FileOutcome, type FuzzedReader, readOne } from './fuzzedReader.ts'
import type { FromReaderThread, ReaderThreadData, ToReaderThread } from './threadMessages.ts'
import { threadTime } from './threadTime.ts'

const port = parentPort
if (port === null) throw new Error('this file can run only as a worker thread')
const post = (message: FromReaderThread) => port.postMessage(message)

const data = workerData as ReaderThreadData
const place = new Int32Array(data.place)
const coverage = await Coverage.start(data.sources)
const { fuzzedReaders } = (await import(data.module)) as { readonly fuzzedReaders: readonly FuzzedReader[] }
const reader = requireReader()
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

port.on('message', async (message: ToReaderThread) => {
  if (message.type === 'files') await readAll(message.files.map((file) => Buffer.from(file)))
  else {
    collect()
    post({ type: 'collected', memory: usedMemory(), coverage: coverage.count() })
  }
})
post({ type: 'ready' })

function requireReader(): FuzzedReader {
  const one = fuzzedReaders.find(({ name }) => name === data.reader)
  if (one === undefined) throw new Error(`there is no reader ${data.reader}`)
  return one
}

/** Each file of these is read twice, and must have the same result. */
const repeatEach = 4

async function readAll(files: readonly Buffer[]): Promise<void> {
  const outcomes: FileOutcome[] = []
  for (const [index, file] of files.entries()) {
    Atomics.store(place, 0, index)
    outcomes.push(await readTimed(file, index % repeatEach === 0))
  }
  const sample = await coverage.sample()
  const covering: number[] = []
  // Which file executed the new parts is only seen if each is read by itself.
  if (coverage.hasNew(sample))
    for (const [index, file] of files.entries()) {
      Atomics.store(place, 0, index)
      await readOne(reader, file)
      const own = await coverage.sample()
      if (coverage.hasNew(own)) covering.push(index)
      coverage.add(own)
    }
  coverage.add(sample)
  post({ type: 'outcomes', outcomes, covering })
}

/** Texts that the reader wrote to the console: the log of the product has only its own events. */
const written: string[] = []
for (const level of ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const)
  console[level] = (...texts: readonly unknown[]) => void written.push(texts.map(String).join(' '))

async function readTimed(file: Buffer, isRepeated: boolean): Promise<FileOutcome> {
  // A reader that changes its input has a copy.
  const original = Buffer.from(file)
  const begun = threadTime()
  const outcome = await readOne(reader, file)
  const ms = threadTime() - begun
  const memory = usedMemory()
  const faults = [...outcome.faults]
  for (const text of written.splice(0)) faults.push(`the reader has written to the console: ${text.slice(0, 200)}`)
  if (!file.equals(original)) faults.push('the reader has changed the bytes of the file')
  if (isRepeated && (await readOne(reader, original)).digest !== outcome.digest)
    faults.push('a second read has another result')
  return { ...outcome, faults, hasEndedThread: false, ms, memory }
}

function usedMemory(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}
