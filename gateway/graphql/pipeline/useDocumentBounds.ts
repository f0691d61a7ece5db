import type { Plugin } from '@envelop/core'
import { type DocumentNode, type GraphQLSchema, NoFragmentCyclesRule, validate } from 'graphql'
import type { Limits } from '../../limits/limits.ts'
import { boundExceeded, checkCounts, countMergeSteps } from '../limits/documentBounds.ts'
import { DocumentRefused } from './documentRefused.ts'
import type { DocumentContext, Work } from './prepared.ts'
import { maxErrors } from './validation.ts'

/** For a text that cannot be parsed: the average number of bytes of one token. */
const bytesPerToken = 6

const mergeStepsPerUnit = 10

/** Bounds the work of parsing and validating a document, and counts it: a unit is one token, or ten comparisons of fields. */
export function useDocumentBounds(schema: GraphQLSchema, limits: Limits): Plugin<DocumentContext> {
  return {
    onParse({ context: { text, work } }) {
      work.units = Math.min(limits.operationTokens, Math.ceil(Buffer.byteLength(text) / bytesPerToken))
      return ({ result }) => {
        const document = result as DocumentNode
        work.units = document.tokenCount ?? work.units
        checkCounts(document, limits)
      }
    },
    onValidate({ context: { work }, params }) {
      const document: DocumentNode = params.documentAST
      // The count of comparisons would not end in a cycle of fragments.
      const cycles = validate(schema, document, [NoFragmentCyclesRule], { maxErrors })
      if (cycles.length > 0) throw new DocumentRefused('GRAPHQL_VALIDATION_FAILED', cycles)
      checkMergeSteps(document, limits, work)
    },
  }
}

function checkMergeSteps(document: DocumentNode, { operationMergeSteps }: Limits, work: Work): void {
  const steps = countMergeSteps(document, operationMergeSteps)
  work.units += Math.min(steps, operationMergeSteps) / mergeStepsPerUnit
  if (steps > operationMergeSteps) throw boundExceeded('operationMergeSteps', operationMergeSteps)
}
