/** Converts a request to an executable operation. A text is prepared once, and the result is kept. */
import { GraphQLError } from 'graphql'
import { LRUCache } from 'lru-cache'
import { Failure } from '../../spec/core/failure.ts'
import { Documents } from './documents.ts'
import { DocumentRefused } from './pipeline/documentRefused.ts'
import type { Pipeline } from './pipeline/pipeline.ts'
import type { Prepared, Work } from './pipeline/prepared.ts'
import type { Parameters } from './schema/parameters.ts'

/** The memory of the cache. */
const cachedBytes = 32 * 1024 * 1024
/**
 * A parsed document takes 70 to 200 times the bytes of its text. If the size was the length of the text, the cache could take
 * gigabytes.
 */
const bytesPerCharacter = 128
const bytesPerEntry = 1_024

/** Charges a principal for the work of preparing a document. `useDocumentBounds` counts the units. */
export interface PreparationMeter {
  /** Called before the pipeline runs. @throws Failure RATE_LIMITED */
  begin(): void
  accepted(units: number): void
  refused(units: number): void
}

/** The outcome of a text that the pipeline has seen. A refusal costs its units again. */
type Outcome = { readonly operations: readonly Prepared[] } | { readonly refused: unknown; readonly units: number }

export class Preparer {
  readonly #documents = new Documents()
  readonly #outcomes = new LRUCache<string, Outcome>({
    maxSize: cachedBytes,
    sizeCalculation: (_outcome, text) => text.length * bytesPerCharacter + bytesPerEntry,
  })
  readonly #pipeline: Pipeline
  readonly #maxBytes: number

  /** @param maxBytes of the text of an operation */
  constructor(pipeline: Pipeline, maxBytes: number) {
    this.#pipeline = pipeline
    this.#maxBytes = maxBytes
  }

  /** @throws DocumentRefused, Failure */
  prepare({ query, documentId, operationName }: Parameters, meter: PreparationMeter): Prepared {
    const work = { units: 0 }
    try {
      this.#checkSize(query)
      const text = this.#documents.text(query, documentId)
      const prepared = select(this.#find(text, meter, work), operationName)
      meter.accepted(work.units)
      return prepared
    } catch (error) {
      meter.refused(work.units)
      throw error
    }
  }

  #checkSize(query: string | undefined): void {
    if (query !== undefined && Buffer.byteLength(query) > this.#maxBytes)
      throw new Failure('PAYLOAD_TOO_LARGE', `The text of an operation may have at most ${this.#maxBytes} bytes.`)
  }

  #find(text: string, meter: PreparationMeter, work: Work): readonly Prepared[] {
    const known = this.#outcomes.get(text)
    if (known && 'operations' in known) return known.operations
    meter.begin()
    if (known) {
      work.units = known.units
      throw known.refused
    }
    try {
      const operations = this.#pipeline(text, work)
      this.#outcomes.set(text, { operations })
      return operations
    } catch (error) {
      if (error instanceof DocumentRefused || error instanceof Failure)
        this.#outcomes.set(text, { refused: error, units: work.units })
      throw error
    }
  }
}

/** @param operationName may be omitted if the document has one operation */
function select(operations: readonly Prepared[], operationName: string | undefined): Prepared {
  const [first, second] = operations
  const prepared =
    operationName === undefined
      ? second === undefined && first
      : operations.find(({ operation }) => operation.name?.value === operationName)
  if (prepared) return prepared
  const message =
    operationName === undefined
      ? 'Set "operationName" to the operation of the document that is to be executed.'
      : 'The document has no operation of this "operationName".'
  throw new DocumentRefused('GRAPHQL_VALIDATION_FAILED', [new GraphQLError(message)])
}
