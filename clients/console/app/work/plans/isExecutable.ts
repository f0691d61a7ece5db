import type { EnumValue } from '../../data/graphql.ts'

/** Returns whether a plan can be executed, for the first time or again. */
export function isExecutable({ status }: { readonly status: EnumValue<'PlanStatus'> }): boolean {
  return status === 'READY' || status === 'COMPLETED' || status === 'FAILED'
}
