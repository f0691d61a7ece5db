/** The limits that are raised for the fuzzer: those of rates. The limits of size, depth and cost stay. */
import { limits } from '../../../spec/core/limits.ts'

export const raisedLimits: readonly (keyof typeof limits)[] = (Object.keys(limits) as (keyof typeof limits)[]).filter(
  (name) => /Per(?:Minute|Day|5Minutes)$|AtOnce$/.test(name),
)
