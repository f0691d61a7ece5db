/** Readers with planted faults, one of each kind that the fuzzer must find. Each is correct for its seed. */
import type { FuzzedReader, ReadFile } from './fuzzedReader.ts'
import { mutateBytes } from './mutate/bytes.ts'
import { mutateJson } from './mutate/json.ts'
import { textFaults } from './readers/textFaults.ts'
import { threadTime } from './threadTime.ts'

class Refused extends Error {
  override readonly name = 'Refused'
}

const plant = (name: string, read: (file: Buffer) => unknown, more: Partial<FuzzedReader> = {}): FuzzedReader => ({
  name,
  sources: ['/files/planted.ts'],
  makeSeeds: async () => [Buffer.from('SIZE\x04\0\0\0data')],
  mutate: mutateBytes,
  read: async (file): Promise<ReadFile> => {
    const value = await read(file)
    return { value, form: 'read', faults: textFaults(value) }
  },
  isDeclared: (error) => error instanceof Refused,
  ...more,
})

/** The bytes after the head, which has their number. */
function readData(file: Buffer): Buffer {
  if (file.length < 8) throw new Refused('is cut off')
  const size = file.readUInt32LE(4)
  if (size > file.length - 8) throw new Refused('has fewer bytes than it states')
  return file.subarray(8, 8 + size)
}

const length = (file: Buffer): number => readData(file).length
/** Sets one byte to a small number. */
const setByte =
  (at: number, bytes: number): FuzzedReader['mutate'] =>
  (file, random) => {
    const copy = Buffer.from(file)
    copy[at + random.below(bytes)] = random.below(32)
    return copy
  }

const changeSize: Partial<FuzzedReader> = { mutate: setByte(4, 1) }

let reads = 0
const kept: Buffer[] = []

export const fuzzedReaders: readonly FuzzedReader[] = [
  // It does not check that the size is in the file.
  plant('rangeError', (file) => file.readUInt32LE(4)),
  plant('typeError', (file) => (JSON.parse(file.toString()) as { a: { b: string } }).a.b.length, {
    makeSeeds: async () => [Buffer.from('{"a":{"b":"c"},"d":[1,2]}')],
    mutate: (file, random, other) => Buffer.from(mutateJson(file.toString(), random, other.toString())),
    isDeclared: (error) => error instanceof SyntaxError,
  }),
  plant(
    'endless',
    (file) => {
      if (length(file) === 0) for (;;);
      return 0
    },
    changeSize,
  ),
  plant(
    'slow',
    (file) => {
      const until = threadTime() + (length(file) === 1 ? 80 : 0)
      while (threadTime() < until);
      return 0
    },
    changeSize,
  ),
  plant(
    'outOfMemory',
    (file) => {
      const lists: number[][] = []
      while (length(file) === 2) lists.push(new Array<number>(500_000).fill(0))
      return lists.length
    },
    changeSize,
  ),
  plant('unprintable', (file) => readData(file).toString()),
  plant('unprintableError', (file) => {
    if (file.length > 8 && file[8] === 0) throw new Refused(`begins with ${file.toString('latin1', 8, 9)}`)
    return length(file)
  }),
  plant('undetermined', (file) => (length(file) === 3 ? ++reads : 0), changeSize),
  plant(
    'changesItsInput',
    (file) => {
      if (length(file) === 3) file.fill(0)
      return 0
    },
    changeSize,
  ),
  plant(
    'writesToConsole',
    (file) => {
      if (length(file) === 3) console.warn('planted')
      return 0
    },
    changeSize,
  ),
  plant(
    'rejectsLater',
    (file) => {
      if (length(file) === 3) setImmediate(() => void Promise.reject(new TypeError('planted')))
      return new Promise((resolve) => setImmediate(() => setImmediate(resolve, 0)))
    },
    changeSize,
  ),
  plant('otherInProduct', length, { readInProduct: async (file) => Math.max(1, length(file)) }),
  // The first three bytes are found one after the other, if files that reach a new branch are kept.
  plant(
    'behindBranches',
    (file) => {
      if (file[0] === 7) {
        if (file[1] === 8) {
          if (file[2] === 9) throw new TypeError('planted')
        }
      }
      return 0
    },
    { makeSeeds: async () => [Buffer.alloc(8)], mutate: setByte(0, 3) },
  ),
  // Each file is kept, and nothing else is wrong.
  plant('leaks', (file) => kept.push(Buffer.alloc(file.length * 10_000, 1)) && 0, changeSize),
  plant('sound', length),
]
