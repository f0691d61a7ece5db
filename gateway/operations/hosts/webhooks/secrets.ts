/** The secrets of an integration that count at a time, opened. */
import type { Logger } from 'pino'
import type { TypedRow } from '../../../../machines/rows.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { bindingOf } from '../../../../spec/hosts/webhookProviders.ts'
import type { Sealing } from '../../../secrets/sealing.ts'

/**
 * The present one first; none where it has not been given yet. The one before ends at its time, whether its timer has fired or not.
 * @throws Failure UNAVAILABLE where the present one can't be opened: the provider is to deliver again, and an operator to look
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
    throw new Failure('UNAVAILABLE', 'The secret of this integration cannot be read.', { retryAfterMs: 60_000 })
  }
  const counts = previousSecret !== null && at < (previousUntil ?? 0)
  const previous = counts ? sealing.open(previousSecret, binding) : undefined
  return previous?.type === 'opened' ? [present.secret, previous.secret] : [present.secret]
}
