import type { ActorEvent } from '../../../spec/core/actor.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import type { Envelope } from '../../messages.ts'
import type { TypedViews } from '../typedViews.ts'

/** The kinds with the marks of one user. The ID of the actor is that of the user with another prefix. */
type MarksKind = 'readMarks' | 'seenMarks'

/** The messages that change the marks of a user: the first mark creates the actor. */
export async function ensureMarks(
  kind: MarksKind,
  userId: string,
  event: ActorEvent,
  { views, now }: { readonly views: TypedViews; readonly now: number },
): Promise<readonly (Envelope | undefined)[]> {
  const to = { kind, id: siblingId(kind, userId) }
  const exists = (await views.get(kind, to.id)) !== undefined
  const create: Envelope = { to, event: { type: 'create' }, create: { userId, createdAt: now }, orExisting: {} }
  return [exists ? undefined : create, { to, event }]
}
