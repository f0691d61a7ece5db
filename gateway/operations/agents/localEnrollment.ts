/** Creates the one-time token with which the server enrolls the agent that it starts on its own machine. */

import type { Clock } from '../../../actors/ports/clock.ts'
import { newSecret } from '../../auth/tokens.ts'
import type { System } from '../../messages.ts'

const validMs = 60_000

export async function createLocalEnrollment(
  system: Pick<System, 'ask'>,
  ids: { next(kind: 'enrollment'): string },
  clock: Pick<Clock, 'now'>,
): Promise<string> {
  const { token, hash } = newSecret('enroll_')
  const now = clock.now()
  const create = { tokenHash: hash, name: 'local', requestedBy: 'system', createdAt: now, expiresAt: now + validMs }
  const to = { kind: 'enrollment', id: ids.next('enrollment') } as const
  const origin = { cause: 'request', principal: 'system', requestId: 'start', receivedAt: now } as const
  await system.ask({ to, event: { type: 'create' }, create }, origin)
  return token
}
