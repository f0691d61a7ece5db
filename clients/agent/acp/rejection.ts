import type { PermissionOption, RequestPermissionResponse } from '@agentclientprotocol/sdk'

/** Rejects a request for permission, for this time if possible. A request without such an option is canceled. */
export function reject(options: readonly PermissionOption[]): RequestPermissionResponse {
  const ofKind = (kind: PermissionOption['kind']) => options.find((option) => option.kind === kind)
  const option = ofKind('reject_once') ?? ofKind('reject_always')
  return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } }
}
