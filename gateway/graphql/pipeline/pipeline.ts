/**
 * The plugins of envelop that prepare a document: parsing, bounds, validation, errors, and the access, cost and metrics of its
 * operations. The pipeline runs once for each text, and its result is kept. `npm run bench:graphql` shows what its hooks would cost at
 * each request.
 */
import { envelop, useEngine, useSchema } from '@envelop/core'
import { execute, type GraphQLSchema, subscribe } from 'graphql'
import { Failure } from '../../../spec/core/failure.ts'
import type { Limits } from '../../limits/limits.ts'
import type { Operation } from '../../operations/handler.ts'
import { isTooDeep } from '../errors.ts'
import type { CostMeter } from '../limits/cost.ts'
import type { DocumentContext, Prepared, Work } from './prepared.ts'
import { useDocumentBounds } from './useDocumentBounds.ts'
import { useErrors } from './useErrors.ts'
import { useAccess, useCost, useMetrics, useOperations } from './useOperationFacts.ts'
import { createParser, createValidator } from './validation.ts'

export interface PipelineOptions {
  readonly schema: GraphQLSchema
  readonly operations: readonly Operation[]
  readonly limits: Limits
  readonly meter: CostMeter
  /** Whether introspection and suggestions are enabled. */
  readonly isOpen: boolean
}

/**
 * Returns the operations of a document. It adds its work to `work`, also if it refuses the document.
 *
 * @throws DocumentRefused, Failure COST_LIMIT_EXCEEDED
 */
export type Pipeline = (text: string, work: Work) => readonly Prepared[]

export function createPipeline({ schema, operations, limits, meter, isOpen }: PipelineOptions): Pipeline {
  const start = envelop({
    plugins: [
      useEngine({ parse: createParser(limits), validate: createValidator(isOpen), execute, subscribe }),
      useSchema(schema),
      useErrors(limits),
      useDocumentBounds(schema, limits),
      useOperations(),
      useAccess(),
      useCost(meter),
      useMetrics(operations),
    ],
  })
  return (text, work) => {
    const context: DocumentContext = { text, work, operations: [] }
    const { parse, validate } = start(context)
    try {
      validate(schema, parse(text))
    } catch (error) {
      throw isTooDeep(error) ? new Failure('COST_LIMIT_EXCEEDED', 'The query is nested too deeply.') : error
    }
    return context.operations as Prepared[]
  }
}
