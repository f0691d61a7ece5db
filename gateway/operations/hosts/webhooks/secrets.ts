/** The decrypted secrets of an integration that are valid at a time. */
import type { Logger } from 'pino'
import type { TypedRow } from '../../../../machines/rows.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { bindingOf } from '../../../../spec/hosts/webhookProviders.ts'
import type { Sealing } from '../../../secrets/sealing.ts'

/**
 * Returns the current secret first, or nothing if there is none yet. The previous secret ends at its time, even if its timer has not
 * fired. @throws Failure UNAVAILABLE if the current secret cannot be decrypted: the provider then delivers again, and an operator
 * must examine the log
 */
export function secretsOf(row: TypedRow<'integration'>, sealing: Sealing, at: number, log: Logger): readonly string[] {
  const { secret, previousSecret, previousUntil } = row.context
  if (secret === null) return []
  const binding = bindingOf(row.id, row.init.provider)
  const present = sealing.open(secret, binding)
  if (present.type !== 'opened') {
    log.error(
      { integration: row.id, problem: present.type },
      'the secret of an integration cannot be opened: rotate it',
    )
    throw new Failure('UNAVAILABLE', 'The secret of this integration cannot be decrypted. Rotate it.', {
      retryAfterMs: 60_000,
    })
  }
  const counts = previousSecret !== null && at < (previousUntil ?? 0)
  const previous = counts ? sealing.open(previousSecret, binding) : undefined
  return previous?.type === 'opened' ? [present.secret, previous.secret] : [present.secret]
}
