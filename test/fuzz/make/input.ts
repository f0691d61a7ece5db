/** The input of an operation: right by its schema and by the world, or wrong in one place. */
import type { ActorKind } from '../../../spec/core/ids.ts'
import { actorKinds } from '../../../spec/core/ids.ts'
import type { Schema } from '../../../spec/core/types.ts'
import { damaged } from './damage.ts'
import { type HintContext, hintFor, settled } from './hints.ts'
import { fittingValue, type ValueSource } from './values.ts'

export interface Input {
  readonly value: unknown
  /** What is wrong with it. */
  readonly how?: string
}

/** @param changes whether the request may end what it names */
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

/** `workflowId` names a workflow, where its schema does not say so. */
function kindsNamed(field: string): readonly ActorKind[] {
  const name = field.replace(/Ids?$/, '')
  return actorKinds.filter((kind) => kind === name)
}
