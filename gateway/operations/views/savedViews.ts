import type { TypedRow } from '../../../machines/rows.ts'
import { savedViewKey } from '../../../machines/views/savedViewKeys.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { expecting } from '../../../spec/core/revision.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  createSavedView,
  deleteSavedView,
  type SavedViewPage,
  savedViews,
  savedViewsMax,
  updateSavedView,
} from '../../../spec/views/savedViews.ts'
import { pageOfRows } from '../core/connections.ts'
import { readUserId } from '../core/readUserId.ts'
import { oneMessage, requireKind } from '../core/replies.ts'
import { notFound, requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'
import type { TypedViews } from '../typedViews.ts'

function toSavedView({ id, init, context, createdAt }: TypedRow<'savedView'>) {
  const { name, query, columns, revision, updatedAt } = context
  return {
    id,
    name,
    page: init.page,
    query,
    columns: [...columns],
    revision,
    createdAt: toDateTime(createdAt),
    updatedAt: toDateTime(updatedAt),
  }
}

/** @throws Failure NOT_FOUND also for a view of another user, who must not learn that it exists */
async function requireOwnView(viewId: string, { principal, views }: RequestContext<'views'>) {
  const row = await requireRow(views, 'savedView', viewId)
  if (row.init.userId !== readUserId(principal)) throw notFound('savedView', viewId)
  return row
}

interface NamePlace {
  readonly userId: string
  readonly page: SavedViewPage
}

/** @param viewId the view that may have the name @throws Failure CONFLICT */
async function refuseTaken(name: string, place: NamePlace, views: TypedViews, viewId?: string): Promise<void> {
  const known = await views.findByKey('savedView', savedViewKey(place, name))
  if (known === undefined || known.id === viewId) return
  throw new Failure(
    'CONFLICT',
    `You have a saved view "${name}" of this page already: ${known.id}. Choose another name.`,
    {
      details: { field: 'name', id: known.id },
    },
  )
}

/** Two requests at the same moment can both pass. So a user may have a few more. */
async function refuseTooMany(userId: string, views: TypedViews): Promise<void> {
  const count = await views.count({ kind: 'savedView', where: { scopeId: userId }, terminal: false })
  if (count < savedViewsMax) return
  throw new Failure(
    'FAILED_PRECONDITION',
    `You have ${count} saved views. A user has at most ${savedViewsMax}. Delete one first.`,
    { details: { limit: savedViewsMax } },
  )
}

function sendToView(viewId: string, event: ActorEvent) {
  return oneMessage({ to: { kind: 'savedView', id: viewId }, event }, (row) => ({ savedView: toSavedView(row) }))
}

export const savedViewHandlers = [
  handle(savedViews, ['views'], {
    read: async ({ page: of, ...page }, { principal, views }) =>
      await pageOfRows(
        views,
        {
          kind: 'savedView',
          where: { scopeId: readUserId(principal) },
          terminal: false,
          ...(of ? { init: { page: of } } : {}),
        },
        page,
        toSavedView,
      ),
  }),
  handle(createSavedView, ['views', 'ids'], {
    repeat: { message: 0, answer: ({ row }) => ({ savedView: toSavedView(requireKind('savedView', row)) }) },
    translate: async ({ name, page, query, columns }, { principal, views, ids, now }) => {
      const userId = readUserId(principal)
      await refuseTaken(name, { userId, page }, views)
      await refuseTooMany(userId, views)
      const create = { userId, page, name, query, columns: columns ?? [], createdAt: now }
      const to = { kind: 'savedView', id: ids.newId('savedView') } as const
      return oneMessage({ to, event: { type: 'create' }, create }, (row) => ({ savedView: toSavedView(row) }))
    },
  }),
  handle(updateSavedView, ['views'], {
    translate: async ({ viewId, name, query, columns, expectedRevision }, context) => {
      const { init } = await requireOwnView(viewId, context)
      if (name) await refuseTaken(name, init, context.views, viewId)
      return sendToView(viewId, {
        type: 'update',
        ...expecting(expectedRevision),
        ...(name ? { name } : {}),
        ...(typeof query === 'string' ? { query } : {}),
        ...(columns ? { columns } : {}),
      })
    },
  }),
  handle(deleteSavedView, ['views'], {
    translate: async ({ viewId, expectedRevision }, context) => {
      await requireOwnView(viewId, context)
      return sendToView(viewId, { type: 'delete', ...expecting(expectedRevision) })
    },
  }),
]
