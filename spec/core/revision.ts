/**
 * Revisions of objects that people edit. An editor gives back the revision that it has read. If another edit has changed the object
 * since, the edit is refused, so that no change is lost.
 */
import * as v from 'valibot'
import { Failure } from './failure.ts'
import { int } from './types.ts'

/** The revision of an object in an answer. */
export const revision = v.pipe(
  int,
  v.description('The number of the object’s changes, from 1. Pass it as `expectedRevision` to change the object.'),
)

/** The expected revision in the input of an edit. */
export const expectedRevision = v.pipe(
  v.nullish(v.pipe(int, v.minValue(0), v.maxValue(1_000_000_000))),
  v.description(
    'The `revision` that the caller has read. If the object has another one, nothing is changed (CONFLICT). If omitted, any revision is changed.',
  ),
)

/** The part of an edit's message that names the revision. A script may omit it. */
export function expecting(expected: number | null | undefined): { readonly expectedRevision?: number } {
  return expected === null || expected === undefined ? {} : { expectedRevision: expected }
}

/** @param subject what is edited, with its verb: `The app is` */
export function revisionConflict(subject: string, revision: number, expected: number): Failure {
  return new Failure(
    'CONFLICT',
    `${subject} at revision ${revision}, not ${expected}. Read it again, and repeat your change on what it is now.`,
    { details: { field: 'expectedRevision', revision } },
  )
}
