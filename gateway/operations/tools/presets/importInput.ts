import type * as v from 'valibot'
import type { decision, importActions, importInput } from '../../../../spec/tools/presets/importInput.ts'

export type ImportAction = (typeof importActions)[number]

export type ImportInput = v.InferOutput<typeof importInput>
export type ImportDecision = v.InferOutput<typeof decision>

/** The part of the input that a preview token confirms: all of it, except the token and the idempotency key. */
export function pickReviewed({ document, decisions, serverMappings }: ImportInput): unknown {
  const given = <T extends object>(fields: T): object =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
  return {
    document,
    decisions: (decisions ?? []).map(given),
    serverMappings: (serverMappings ?? []).map(given),
  }
}
