/** The members of a workflow. */
import type { Json } from '../../spec/core/actor.ts'
import { type MemberKeys, memberKeys } from '../framework/memberKeys.ts'

/** The number of published versions that are kept, the newest. */
export const publishedVersionsMax = 100

export const workflowMembers = Object.freeze({
  /** The two definitions. */
  draft: 'draft',
  published: 'published',
  /** A published version. */
  version: (number: number): string => `version/${String(number).padStart(7, '0')}`,
  /** Runs that were started, by ID. */
  run: memberKeys('run/'),
  /** Runs of a scope that may execute, by ID. */
  active: (scope: string): MemberKeys => memberKeys(`active/${scope}/`),
  /** Runs of a scope that wait, in the order of their start: `<at>/<id>`. */
  waiting: (scope: string): MemberKeys => memberKeys(`wait/${scope}/`),
})

/** A published version. `by` is the `principalName` of a person, or the ID of a run. */
export type PublishedVersion = { readonly definition: Json; readonly by: string; readonly at: number }
