/** The input of an operation: valid by its schema and by the state of the program, or invalid in one place. */
import type { ActorKind } from '../../../../spec/core/ids.ts'
import { actorKinds } from '../../../../spec/core/ids.ts'
import type { Schema } from '../../../../spec/core/types.ts'
import { damaged } from './damage.ts'
import { type HintContext, hintFor, settled } from './hints.ts'
import { fittingValue, type ValueSource } from './values.ts'

export interface Input {
  readonly value: unknown
  /** The defect of the input. */
  readonly how?: string
}

/** @param changes whether the request may end the actors that it names */
export function inputFor(
  operation: string,
  schema: Schema | undefined,
  context: HintContext,
  changes: boolean,
  wrong: boolean,
): Input {
  const { random, pools } = context
  const source: ValueSource = {
    random,
    hint: (path) => hintFor(operation, path, context),
    id: (kinds, field) => pools.id(kinds.length < actorKinds.length ? kinds : kindsNamed(field), random, changes),
  }
  const value = schema === undefined ? {} : settled(operation, fittingValue(schema, source), context)
  return wrong ? damaged(value, random) : { value }
}

/** `workflowId` is the ID of a workflow, even if its schema has no kind. */
function kindsNamed(field: string): readonly ActorKind[] {
  const name = field.replace(/Ids?$/, '')
  return actorKinds.filter((kind) => kind === name)
}
