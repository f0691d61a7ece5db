import type { TypedRow } from '../../../machines/rows.ts'
import { appKey } from '../../../spec/apps/bundleIdentifier.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { Envelope } from '../../messages.ts'
import type { TypedViews } from '../typedViews.ts'

/** The name of an app that a report or a dSYM creates: the last part of its bundle identifier. */
export function newAppName(bundleIdentifier: string): string {
  return bundleIdentifier.split('.').at(-1) || bundleIdentifier
}

/** The message that makes an unclaimed app an active one, since a caller with a credential has named it. */
export function claimOf(app: TypedRow<'app'>): Envelope | undefined {
  return app.columns.status === 'UNCLAIMED' ? { to: { kind: 'app', id: app.id }, event: { type: 'claim' } } : undefined
}

/** Finds the app with the bundle identifier. @throws Failure NOT_FOUND */
export async function requireApp(own: string, views: TypedViews): Promise<TypedRow<'app'>> {
  const row = await views.findByKey('app', appKey(own))
  if (row === undefined) {
    throw new Failure('NOT_FOUND', `There is no app ${own}. Create it first.`, {
      details: { field: 'bundleIdentifier' },
    })
  }
  return row
}
