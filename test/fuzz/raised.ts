/** The limits that are raised for the fuzzer: those of how often somebody may ask. What bounds size, depth and cost stays. */
import { limits } from '../../spec/core/limits.ts'

export const raisedLimits: readonly (keyof typeof limits)[] = (Object.keys(limits) as (keyof typeof limits)[]).filter(
  (name) => /Per(?:Minute|Day|5Minutes)$|AtOnce$/.test(name),
)
