import type { DocumentNode, FieldNode, OperationDefinitionNode } from 'graphql'
import type { Access } from '../../../spec/core/principal.ts'
import type { OperationCost } from '../limits/cost.ts'

/** One operation of a valid document. */
export interface ValidOperation {
  /** Of the whole document. */
  readonly text: string
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  /** The fields at the root, with fragments expanded. */
  readonly rootFields: readonly FieldNode[]
}

/** An operation with everything that is computed once for it and is used at each of its executions. */
export interface Prepared extends ValidOperation {
  /** A rule beside those of its fields, which introspection has. */
  readonly access: Access | undefined
  readonly cost: OperationCost
  /** Its name in metrics: that of its first field at the root, or `other` if that is no declared operation. */
  readonly label: string
}

/** The units of work that preparing a document has cost so far. */
export interface Work {
  units: number
}

/** The values that the plugins share while they prepare one document. */
export interface DocumentContext {
  readonly text: string
  readonly work: Work
  /** Empty until the document is valid. */
  readonly operations: (ValidOperation & Partial<Prepared>)[]
}
