/**
 * After a change of `APP_SECRET`: the secrets of integrations are sealed anew, so that `APP_SECRET_PREVIOUS` can be taken away.
 * Another process that still has the former secret may seal with it afterwards, so this is done again every so often.
 */
import type { System } from '../../actors/messages.ts'
import type { ActorRow } from '../../spec/actor.ts'
import { contextOf, initOf } from '../../spec/rows.ts'
import type { Sealing } from '../../spec/sealing/sealing.ts'
import type { Views } from '../../spec/views.ts'
import { bindingOf, type Provider } from '../../spec/webhookProviders.ts'

export interface ResealParts {
  readonly views: Views
  readonly system: System
  readonly sealing: Sealing
  readonly now: number
}

const pageSize = 200

/** Answers how many were sealed anew. What can't be opened is left as it is. */
export async function resealIntegrations(parts: ResealParts): Promise<number> {
  let count = 0
  for (let after: { id: string } | undefined; ; ) {
    const rows = await parts.views.list({
      kind: 'integration',
      terminal: false,
      limit: pageSize,
      ...(after && { after }),
    })
    for (const row of rows) count += await resealOne(row, parts)
    after = rows.at(-1)
    if (rows.length < pageSize || after === undefined) return count
  }
}

async function resealOne(row: ActorRow, { system, sealing, now }: ResealParts): Promise<number> {
  const { secret, previousSecret } = contextOf<Record<'secret' | 'previousSecret', string | null>>(row)
  const binding = bindingOf(row.id, initOf<{ provider: Provider }>(row).provider)
  let count = 0
  for (const from of [secret, previousSecret]) {
    if (from === null || !sealing.needsResealing(from)) continue
    const opened = sealing.open(from, binding)
    if (opened.type !== 'opened') continue
    const event = { type: 'reseal', from, to: sealing.seal(opened.secret, binding) }
    const origin = { cause: 'migration', principal: 'system', requestId: 'reseal', receivedAt: now } as const
    await system.ask({ to: { kind: 'integration', id: row.id }, event }, origin)
    count++
  }
  return count
}
