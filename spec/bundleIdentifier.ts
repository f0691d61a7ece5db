import * as v from 'valibot'
import type { ActorRow } from './actor.ts'
import { Failure } from './failure.ts'
import type { Views } from './views.ts'

/** As Apple takes them: letters, digits, hyphens and full stops. */
export const bundleIdentifier = v.pipe(
  v.string(),
  v.maxLength(155, 'must have at most 155 characters'),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9.-]*$/, 'must be a bundle identifier, such as org.example.shop'),
  v.description('Of the app: `org.example.shop`.'),
)

/** By which an app is found: capitals make no other one. */
export const appKey = (own: string): string => own.toLowerCase()

/** The app that has it. @throws Failure NOT_FOUND */
export async function requireApp(own: string, views: Views): Promise<ActorRow> {
  const row = await views.findByKey('app', appKey(own))
  if (row === undefined) {
    throw new Failure('NOT_FOUND', `There is no app ${own}: make it first.`, { details: { field: 'bundleIdentifier' } })
  }
  return row
}
