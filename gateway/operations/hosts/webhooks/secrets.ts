/** The secrets of an integration that count at a time, opened. */
import type { Logger } from 'pino'
import type { ActorRow } from '../../../../spec/core/actor.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { contextOf, initOf } from '../../../../spec/core/rows.ts'
import { bindingOf, type Provider } from '../../../../spec/hosts/webhookProviders.ts'
import type { Sealing } from '../../../secrets/sealing.ts'

interface Kept {
  readonly secret: string | null
  readonly previousSecret: string | null
  readonly previousUntil: number | null
}

/**
 * The present one first; none where it has not been given yet. The one before ends at its time, whether its timer has fired or not.
 * @throws Failure UNAVAILABLE where the present one can't be opened: the provider is to deliver again, and an operator to look
 */
export function secretsOf(row: ActorRow, sealing: Sealing, at: number, log: Logger): readonly string[] {
  const { secret, previousSecret, previousUntil } = contextOf<Kept>(row)
  if (secret === null) return []
  const binding = bindingOf(row.id, initOf<{ provider: Provider }>(row).provider)
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
