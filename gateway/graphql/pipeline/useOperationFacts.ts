/** Plugins that find out facts about each operation of a valid document. */
import type { Plugin } from '@envelop/core'
import { type DocumentNode, Kind } from 'graphql'
import type { Operation } from '../../operations/handler.ts'
import type { CostMeter } from '../limits/cost.ts'
import { listRootFields } from '../schema/roots.ts'
import type { DocumentContext, Prepared, ValidOperation } from './prepared.ts'

/** Lists the operations, for the plugins after this one. */
export function useOperations(): Plugin<DocumentContext> {
  return {
    onValidate: ({ context, params }) => {
      const document: DocumentNode = params.documentAST
      return () => {
        for (const operation of document.definitions)
          if (operation.kind === Kind.OPERATION_DEFINITION)
            context.operations.push({
              text: context.text,
              document,
              operation,
              rootFields: listRootFields(document, operation),
            })
      }
    },
  }
}

/** Introspection of the whole schema is for people. Agents use a fixed set of operations. */
export function useAccess(): Plugin<DocumentContext> {
  return useFacts(({ rootFields }) => {
    const isIntrospection = rootFields.some(({ name }) => name.value === '__schema' || name.value === '__type')
    return { access: isIntrospection ? 'people' : undefined }
  })
}

export function useCost(meter: CostMeter): Plugin<DocumentContext> {
  return useFacts(({ document, operation }) => ({ cost: meter.of(document, operation) }))
}

export function useMetrics(operations: readonly Operation[]): Plugin<DocumentContext> {
  const names = new Set(operations.map(({ kind, name }) => `${kind} ${name}`))
  return useFacts(({ operation, rootFields }) => {
    const name = rootFields[0]?.name.value ?? 'none'
    return { label: names.has(`${operation.operation} ${name}`) ? name : 'other' }
  })
}

function useFacts(find: (operation: ValidOperation) => Partial<Prepared>): Plugin<DocumentContext> {
  return {
    onValidate:
      () =>
      ({ context }) => {
        for (const operation of context.operations) Object.assign(operation, find(operation))
      },
  }
}
