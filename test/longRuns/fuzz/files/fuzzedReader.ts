/** A reader of files that anyone can send, and the way in which the fuzzer makes files for it. */
import type { Random } from '../../soak/random.ts'

export interface FuzzedReader {
  readonly name: string
  /** The ends of the paths of the modules whose coverage is measured. */
  readonly sources: readonly string[]
  /** Valid files. */
  makeSeeds(): Promise<readonly Buffer[]>
  /** Changes the fields of a file that matter. The file itself stays as it is. @param other another file of this reader */
  mutate(file: Buffer, random: Random, other: Buffer): Buffer
  /** @throws the declared errors of the reader, or others if it has a fault */
  read(file: Buffer): Promise<ReadFile>
  isDeclared(error: unknown): boolean
  /** Reads the file as the product does, in the product's own thread. The value is that of `read`, or the error is. */
  readInProduct?(file: Buffer): Promise<unknown>
  /** Ends the threads of `readInProduct`. */
  close?(): void
}

export interface ReadFile {
  /** The result. Two reads of a file must have the same. */
  readonly value: unknown
  /** The form of the result. A file whose result has a new form is kept. */
  readonly form: string
  /** The properties that the result does not have. */
  readonly faults: readonly string[]
}

/** The result or the error of one file. */
export interface FileOutcome {
  readonly isRead: boolean
  /** The result as JSON, or the error. */
  readonly digest: string
  readonly form: string
  readonly faults: readonly string[]
  /** Whether it took too long, needed too much memory, or had an error that nothing caught. */
  readonly hasEndedThread: boolean
  /** Processor time of the thread. */
  readonly ms: number
  /** Bytes of memory of the thread after the file, before a garbage collection. */
  readonly memory: number
}

/** The longest part of an error in the form of an outcome. */
const mostForm = 80

export async function readOne(
  reader: Pick<FuzzedReader, 'read' | 'isDeclared'>,
  file: Buffer,
): Promise<Omit<FileOutcome, 'hasEndedThread' | 'ms' | 'memory'>> {
  try {
    const { value, form, faults } = await reader.read(file)
    return { isRead: true, digest: digestOf(value), form, faults }
  } catch (error) {
    const faults = [...(reader.isDeclared(error) ? [] : [undeclared(error)]), ...messageFaults(error)]
    return { isRead: false, digest: digestOfError(error), form: formOf(error), faults }
  }
}

/** The result as text. It is whole, so that results of two reads can be compared. */
export const digestOf = (value: unknown): string =>
  JSON.stringify(value, (_, own) =>
    typeof own === 'bigint' ? String(own) : own instanceof Map ? [...own] : own === undefined ? null : own,
  )

export const digestOfError = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error)

/** The error without the values of the file. */
const formOf = (error: unknown): string =>
  digestOfError(error)
    .replace(/"(?:[^"\\]|\\.)*"?/g, '"…"')
    .replace(/0x[0-9a-f]+|\d+/gi, '#')
    .slice(0, mostForm)

export const undeclared = (error: unknown): string =>
  `an undeclared error: ${error instanceof Error ? (error.stack ?? String(error)) : String(error)}`

/** An error of a hostile file is stored and shown to users. */
const mostMessage = 2_000
/** Control characters but line ends, lone surrogates, and characters that change the direction of the text after them. */
export const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

function messageFaults(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const faults: string[] = []
  if (error.message.length > mostMessage) faults.push(`an error has more than ${mostMessage} characters`)
  if (unprintable.test(error.message)) faults.push(`an error has unprintable characters: ${error.name}`)
  return faults
}
