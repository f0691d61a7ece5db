import { appKey } from '../../../spec/apps/bundleIdentifier.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { Views } from '../../../storage/ports/views.ts'

/** The app that has it. @throws Failure NOT_FOUND */
export async function requireApp(own: string, views: Views): Promise<ActorRow> {
  const row = await views.findByKey('app', appKey(own))
  if (row === undefined) {
    throw new Failure('NOT_FOUND', `There is no app ${own}: make it first.`, { details: { field: 'bundleIdentifier' } })
  }
  return row
}
