/** Records a dSYM and its app. A repeat finds both. */
import type { Clock } from '../../../../actors/ports/clock.ts'
import type { DsymInit } from '../../../../machines/apps/dsym.ts'
import type { TypedRow } from '../../../../machines/rows.ts'
import { appKey } from '../../../../spec/apps/bundleIdentifier.ts'
import type { Ids } from '../../../ids.ts'
import type { Envelope, System } from '../../../messages.ts'
import { requireKind } from '../../core/replies.ts'
import { findExisting } from '../../executeMutation.ts'
import type { TypedViews } from '../../typedViews.ts'
import { keyOfImages } from '../binaryImages.ts'
import { claimOf, newAppName } from '../bundleIdentifier.ts'

export interface DsymStore {
  readonly system: Pick<System, 'ask'>
  readonly views: Pick<TypedViews, 'findByKey' | 'get'>
  readonly ids: Ids
  readonly clock: Clock
}

export type FoundDsym = Pick<DsymInit, 'version' | 'build' | 'images'> & {
  readonly name: string
  readonly bundleIdentifier: string | null
}

/** @param app its bundle identifier @returns the ID of the dSYM */
export async function storeDsym(
  found: FoundDsym,
  app: string | undefined,
  by: string,
  { system, views, ids, clock }: DsymStore,
): Promise<string> {
  const now = clock.now()
  const ask = async (envelope: Envelope) =>
    await system
      .ask(envelope, { cause: 'effect', principal: by, requestId: 'dSYM index', receivedAt: now })
      .catch((error) => findExisting(envelope, error, { views }))
  const key = await keyOfImages(found.images)
  const known = await views.findByKey('dsym', key)
  if (known !== undefined) return known.id
  const appId = app === undefined ? null : await requireApp(app)
  const create = { appId, ...found, key, recordedBy: by, createdAt: now }
  const to = { kind: 'dsym', id: ids.next('dsym') } as const
  return (await ask({ to, event: { type: 'create' }, create, orExisting: { uniqueKey: key } })).row.id

  async function requireApp(bundleIdentifier: string): Promise<string> {
    const row = await findOrCreate(bundleIdentifier)
    const claim = claimOf(row)
    if (claim !== undefined) await ask(claim)
    return row.id
  }

  async function findOrCreate(bundleIdentifier: string): Promise<TypedRow<'app'>> {
    const uniqueKey = appKey(bundleIdentifier)
    const row = await views.findByKey('app', uniqueKey)
    if (row !== undefined) return row
    const created = { bundleIdentifier, name: newAppName(bundleIdentifier), createdBy: by, createdAt: now }
    const target = { kind: 'app', id: ids.next('app') } as const
    const reply = await ask({ to: target, event: { type: 'create' }, create: created, orExisting: { uniqueKey } })
    return requireKind('app', reply.row)
  }
}
