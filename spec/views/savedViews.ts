/** Saved views: a user's own filters and columns of a page of the console, under a name. */
import * as v from 'valibot'
import { connectionOf, pageArguments } from '../core/connections.ts'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision, revision } from '../core/revision.ts'
import { atMost, dateTime, id, idOf, named, text } from '../core/types.ts'

/** The maximum number of views of a user, of all pages together. */
export const savedViewsMax = 100
const columnsMax = 30
const queryMax = 2_000

export const savedViewPage = named(
  'SavedViewPage',
  'A page of the console that has a table.',
  v.picklist(['RUNS', 'SESSIONS', 'PLANS', 'WORKFLOWS', 'MACHINES', 'REPOSITORIES']),
)

export type SavedViewPage = v.InferOutput<typeof savedViewPage>

export const savedViewSchema = named(
  'SavedView',
  'A user’s own view of a page: its filters and its columns, under a name.',
  v.object({
    id,
    name: v.string(),
    page: savedViewPage,
    query: v.pipe(v.string(), v.description('The query string of the page, without `?`: its filters and its order.')),
    columns: v.pipe(
      atMost(columnsMax, v.string()),
      v.description('The names of the columns, in their order. Empty: the columns of the page.'),
    ),
    revision,
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
)

export const savedViews = query({
  name: 'savedViews',
  description: 'Returns the caller’s own saved views, newest first. Other users do not see them.',
  access: 'people',
  input: v.object({
    ...pageArguments,
    page: v.pipe(v.nullish(savedViewPage), v.description('Returns only views of this page.')),
  }),
  output: connectionOf('SavedView', savedViewSchema),
})

const viewName = v.pipe(
  text({ min: 1, max: 100 }),
  v.description('The name, unique among the caller’s views of the page, regardless of case.'),
)
const queryString = v.pipe(
  text({ max: queryMax }),
  v.check((given) => !given.startsWith('?'), 'must have no `?` at the beginning'),
  v.description('The query string of the page, without `?`. It is stored as it is.'),
)
const columns = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.regex(/^[a-zA-Z][a-zA-Z0-9]{0,39}$/, 'must be a name of letters and digits, at most 40 characters'),
    ),
  ),
  v.maxLength(columnsMax, `must have at most ${columnsMax}`),
  v.check((names) => new Set(names).size === names.length, 'must have each column once'),
  v.description('The names of the columns, in their order. Empty: the columns of the page.'),
)
const payload = (typeName: string) =>
  named(typeName, 'The saved view after the change.', v.object({ savedView: savedViewSchema }))

export const createSavedView = mutation({
  name: 'createSavedView',
  description: `Saves a view of a page for the caller. A user has at most ${savedViewsMax} views.`,
  access: 'people',
  input: v.object({
    name: viewName,
    page: savedViewPage,
    query: queryString,
    columns: v.pipe(
      v.nullish(columns),
      v.description('The names of the columns, in their order. Default: the columns of the page.'),
    ),
    idempotencyKey,
  }),
  output: payload('CreateSavedViewPayload'),
})

export const updateSavedView = mutation({
  name: 'updateSavedView',
  description: 'Changes the name, the query or the columns of one of the caller’s views. Omitted fields do not change.',
  access: 'people',
  input: v.object({
    viewId: idOf('savedView'),
    name: v.nullish(viewName),
    query: v.nullish(queryString),
    columns: v.nullish(columns),
    expectedRevision,
  }),
  output: payload('UpdateSavedViewPayload'),
})

export const deleteSavedView = mutation({
  name: 'deleteSavedView',
  description: 'Deletes one of the caller’s views.',
  access: 'people',
  input: v.object({ viewId: idOf('savedView'), expectedRevision }),
  output: payload('DeleteSavedViewPayload'),
})
