/**
 * Re-encrypts the secrets of actors after a change of `APP_SECRET`, so that `APP_SECRET_PREVIOUS` can be removed. Another process
 * that still has the former secret may encrypt with it afterwards, so this is repeated periodically.
 */
import type { Logger } from 'pino'
import type { TypedRows } from '../../../machines/rows.ts'
import { bindingOf as bindingOfIntegration } from '../../../spec/hosts/webhookProviders.ts'
import type { System } from '../../messages.ts'
import type { Binding, Sealing, Sealings } from '../../secrets/sealing.ts'
import { bindingOfAsset, readSealed } from '../builds/signing/signingSecret.ts'
import { makeHeaderBinding as bindingOfServer, readServer } from '../tools/external/servers.ts'
import type { TypedViews } from '../typedViews.ts'

export interface ResealParts {
  readonly views: TypedViews
  readonly system: System
  readonly sealings: Sealings
  readonly now: number
}

interface Sealed {
  readonly binding: Binding
  readonly secrets: readonly string[]
}

const sealingNames = {
  integration: 'webhookSecret',
  mcpServer: 'externalCredential',
  signingAsset: 'signingAsset',
} as const

export type ResealedKind = keyof typeof sealingNames

async function sealedIn(row: TypedRows[ResealedKind], views: TypedViews): Promise<Sealed> {
  if (row.kind === 'signingAsset') {
    const sealed = await readSealed(row.id, views)
    return { binding: bindingOfAsset(row.id), secrets: sealed === undefined ? [] : [sealed] }
  }
  if (row.kind === 'mcpServer') {
    const server = readServer(row)
    return { binding: bindingOfServer(server), secrets: Object.values(server.headers) }
  }
  const { secret, previousSecret } = row.context
  return {
    binding: bindingOfIntegration(row.id, row.init.provider),
    secrets: [secret, previousSecret].filter((one) => one !== null),
  }
}

const pageSize = 200

/** If this fails, the previous secret still decrypts the values. The caller repeats it. */
export async function resealAll({ log, ...parts }: ResealParts & { readonly log: Logger }): Promise<void> {
  try {
    const integrations = await reseal('integration', parts)
    const mcpServers = await reseal('mcpServer', parts)
    const signingAssets = await reseal('signingAsset', parts)
    if (integrations + mcpServers + signingAssets > 0)
      log.info({ integrations, mcpServers, signingAssets }, 'secrets were re-encrypted')
  } catch (error) {
    log.error({ err: error }, 'some secrets could not be re-encrypted; the next attempt is in an hour')
  }
}

/** Returns the number of re-encrypted secrets. A secret that cannot be decrypted does not change. */
export async function reseal(kind: ResealedKind, { views, system, sealings, now }: ResealParts): Promise<number> {
  const sealing = sealings[sealingNames[kind]]
  const origin = { cause: 'migration', principal: 'system', requestId: 'reseal', receivedAt: now } as const
  let count = 0
  for (let after: { id: string } | undefined; ; ) {
    const rows = await views.list({ kind, terminal: false, limit: pageSize, ...(after && { after }) })
    for (const row of rows)
      for (const event of resealing(await sealedIn(row, views), sealing)) {
        await system.ask({ to: { kind, id: row.id }, event }, origin)
        count++
      }
    after = rows.at(-1)
    if (rows.length < pageSize || after === undefined) return count
  }
}

function* resealing({ binding, secrets }: Sealed, sealing: Sealing) {
  for (const from of secrets) {
    const opened = sealing.needsResealing(from) ? sealing.open(from, binding) : undefined
    if (opened?.type === 'opened') yield { type: 'reseal', from, to: sealing.seal(opened.secret, binding) }
  }
}
