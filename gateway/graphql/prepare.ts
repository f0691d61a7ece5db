/** Converts a text to an executable operation. A text is parsed and validated once, with envelop's caches. */
import { envelop, useEngine, useSchema } from '@envelop/core'
import { useParserCache } from '@envelop/parser-cache'
import { useValidationCache } from '@envelop/validation-cache'
import {
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  NoFragmentCyclesRule,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  type Source,
  specifiedRules,
  subscribe,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { Failure, type FailureCode } from '../../spec/core/failure.ts'
import type { Limits } from '../limits/limits.ts'
import { Documents } from './documents.ts'
import { documentError, isTooDeep, isTooManyTokens } from './errors.ts'
import { boundExceeded, checkCounts, countMergeSteps } from './limits/documentBounds.ts'
import type { Parameters } from './schema/parameters.ts'

export interface Prepared {
  readonly text: string
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
}

/** The text is not an operation of this schema. */
export class DocumentRefused extends Error {
  override readonly name = 'DocumentRefused'
  readonly code: FailureCode
  readonly errors: readonly GraphQLError[]

  constructor(code: FailureCode, errors: readonly GraphQLError[]) {
    super(errors[0]?.message)
    this.code = code
    this.errors = errors
  }

  formatted(requestId: string): readonly GraphQLFormattedError[] {
    return this.errors.map((error) => documentError(error, this.code, requestId))
  }
}

/** The memory of each cache. */
const cachedBytes = 32 * 1024 * 1024
/**
 * A parsed document takes 70 to 200 times the bytes of its text. If the size was the length of the text, a cache could take
 * gigabytes.
 */
const bytesPerCharacter = 128
const bytesPerEntry = 1_024

function byText<V extends object>(): LRUCache<string, V> {
  return new LRUCache<string, V>({
    maxSize: cachedBytes,
    sizeCalculation: (_value, text) => text.length * bytesPerCharacter + bytesPerEntry,
  })
}

/** Charges a principal for the work of preparing a document. A unit is one token, or `mergeStepsPerUnit` operations of merging fields. */
export interface PreparationMeter {
  /** Called before a text that was not yet validated is parsed. @throws Failure RATE_LIMITED */
  begin(): void
  accepted(units: number): void
  refused(units: number): void
}

const mergeStepsPerUnit = 10
/** For a text that cannot be parsed: the average number of bytes of one token. */
const bytesPerToken = 6

/** Each error may quote a large part of the document. */
const maxErrors = 10

export class Preparer {
  readonly #documents = new Documents()
  /** Validated texts. They are found here before the caches of envelop, whose plugins cost more than a lookup. */
  readonly #good = byText<DocumentNode>()
  readonly #limits: Limits
  readonly #schema: GraphQLSchema
  readonly #enveloped

  /** @param open whether introspection and suggestions are enabled */
  constructor(schema: GraphQLSchema, limits: Limits, open: boolean) {
    this.#limits = limits
    this.#schema = schema
    const rules = open ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule]
    const engine = {
      parse: (source: string | Source) => parse(source, { maxTokens: limits.operationTokens }),
      validate: (own: GraphQLSchema, document: DocumentNode) =>
        validate(own, document, rules, { maxErrors, hideSuggestions: !open }),
      execute,
      subscribe,
      specifiedRules: rules,
    }
    this.#enveloped = envelop({
      plugins: [
        useEngine(engine),
        useSchema(schema),
        useParserCache({ documentCache: byText(), errorCache: byText() }),
        useValidationCache({ cache: byText() }),
      ],
    })({})
  }

  /** @throws DocumentRefused, Failure */
  prepare(parameters: Parameters, meter: PreparationMeter): Prepared {
    const work = { units: 0 }
    try {
      const prepared = this.#prepare(parameters, meter, work)
      meter.accepted(work.units)
      return prepared
    } catch (error) {
      meter.refused(work.units)
      throw error
    }
  }

  #prepare({ query, documentId, operationName }: Parameters, meter: PreparationMeter, work: Work): Prepared {
    this.#checkSize(query)
    const text = this.#documents.text(query, documentId)
    const document = this.#good.get(text) ?? this.#validated(text, meter, work)
    const operation = getOperationAST(document, operationName)
    if (!operation)
      throw new DocumentRefused('GRAPHQL_VALIDATION_FAILED', [
        new GraphQLError(
          operationName === undefined
            ? 'Say in "operationName" which operation of the document is meant.'
            : 'The document has no operation of this "operationName".',
        ),
      ])
    return { text, document, operation }
  }

  #checkSize(query: string | undefined): void {
    if (query !== undefined && Buffer.byteLength(query) > this.#limits.operationTextBytes)
      throw new Failure(
        'PAYLOAD_TOO_LARGE',
        `The text of an operation may have at most ${this.#limits.operationTextBytes} bytes.`,
      )
  }

  #validated(text: string, meter: PreparationMeter, work: Work): DocumentNode {
    meter.begin()
    work.units = Math.min(this.#limits.operationTokens, Math.ceil(Buffer.byteLength(text) / bytesPerToken))
    try {
      const document: DocumentNode = this.#enveloped.parse(text)
      work.units = document.tokenCount ?? work.units
      checkCounts(document, this.#limits)
      refuseFor(validate(this.#schema, document, [NoFragmentCyclesRule], { maxErrors }))
      this.#checkMergeSteps(document, work)
      refuseFor(this.#enveloped.validate(this.#schema, document))
      this.#good.set(text, document)
      return document
    } catch (error) {
      if (error instanceof DocumentRefused) throw error
      if (isTooDeep(error)) throw new Failure('COST_LIMIT_EXCEEDED', 'The query is nested too deeply.')
      if (isTooManyTokens(error)) throw boundExceeded('operationTokens', this.#limits.operationTokens)
      if (error instanceof GraphQLError) throw new DocumentRefused('GRAPHQL_PARSE_FAILED', [error])
      throw error
    }
  }

  #checkMergeSteps(document: DocumentNode, work: Work): void {
    const { operationMergeSteps } = this.#limits
    const steps = countMergeSteps(document, operationMergeSteps)
    work.units += Math.min(steps, operationMergeSteps) / mergeStepsPerUnit
    if (steps > operationMergeSteps) throw boundExceeded('operationMergeSteps', operationMergeSteps)
  }
}

/** The units of work that preparing a document has cost so far. */
interface Work {
  units: number
}

function refuseFor(errors: readonly GraphQLError[]): void {
  if (errors.length > 0) throw new DocumentRefused('GRAPHQL_VALIDATION_FAILED', errors)
}
