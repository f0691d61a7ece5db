/**
 * The revision of an object that people edit. It is part of the context and counts edits from 1. Only edits change it, so an editor's revision
 * is stale only if another edit came in between.
 */
import type { Failure } from '../../spec/core/failure.ts'
import { revisionConflict } from '../../spec/core/revision.ts'
import type { Outcome } from './act.ts'
import type { MachineContext } from './define.ts'

export interface Revised {
  readonly revision: number
}

/** The part of an edit's event that names the revision. Omitted: the edit applies to any revision. */
export interface ExpectsRevision {
  readonly expectedRevision?: number
}

/** Whether the event expects a revision that is not the present one. Such an event is never a repeat. */
export function isStale({ revision }: Revised, { expectedRevision }: ExpectsRevision): boolean {
  return expectedRevision !== undefined && expectedRevision !== revision
}

/**
 * For `refuse` of a definition.
 * @param subject what is edited, with its verb: `The app is`
 */
export function refuseStale(subject: string, revised: Revised, event: ExpectsRevision): Failure | undefined {
  const { expectedRevision } = event
  return expectedRevision === undefined || !isStale(revised, event)
    ? undefined
    : revisionConflict(subject, revised.revision, expectedRevision)
}

/** The outcome of an edit: the changes of the context, and the next revision. */
export function edit<C extends MachineContext & Revised>(context: C, set: Partial<C>): Outcome<C> {
  return { set: { ...set, revision: context.revision + 1 } }
}
