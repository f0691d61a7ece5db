/** The user's saved views of the list of runs. */
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useQuery } from '../../data/useQuery.ts'
import { messages } from '../../messages.ts'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { SavedFilters } from '../../parts/lists/SavedFilters.tsx'
import { useFilters } from '../../router.ts'

const texts = messages.runs.views

/** A user has at most 100 views. */
const viewsQuery = graphql('{ savedViews(page: RUNS, first: 100) { nodes { id name query revision } } }')
const createMutation = graphql(
  'mutation ($input: CreateSavedViewInput!) { createSavedView(input: $input) { savedView { id } } }',
)
const updateMutation = graphql(
  'mutation ($input: UpdateSavedViewInput!) { updateSavedView(input: $input) { savedView { id } } }',
)
const deleteMutation = graphql(
  'mutation ($input: DeleteSavedViewInput!) { deleteSavedView(input: $input) { savedView { id } } }',
)

type SavedView = ResultOf<typeof viewsQuery>['savedViews']['nodes'][number]

const keys = createRepeatKeys()

export function SavedViews() {
  const { view: chosenId, ...filters } = useFilters()
  const query = new URLSearchParams(filters).toString()
  const { data, error, refresh } = useQuery(viewsQuery, {})
  const change = async (view: SavedView, input: { readonly name: string } | { readonly query: string }) => {
    await requestGraphql(updateMutation, { input: { viewId: view.id, expectedRevision: view.revision, ...input } })
    refresh()
  }
  return (
    <SavedFilters
      texts={texts}
      saved={data?.savedViews.nodes ?? []}
      error={error}
      chosenId={chosenId}
      isChanged={(chosen) => query !== (chosen?.query ?? '')}
      getPath={(view) => (view === undefined ? '/runs' : getViewPath(view))}
      onSave={async (name) => {
        const input = { name, page: 'RUNS', query } as const
        const { createSavedView } = await keys.send(input, (idempotencyKey) =>
          requestGraphql(createMutation, { input: { ...input, idempotencyKey } }),
        )
        refresh()
        return getViewPath({ id: createSavedView.savedView.id, query })
      }}
      onUpdate={(view) => change(view, { query })}
      onRename={(view, name) => change(view, { name })}
      onDelete={async ({ id, revision }) => {
        await requestGraphql(deleteMutation, { input: { viewId: id, expectedRevision: revision } })
        refresh()
      }}
    />
  )
}

/** The address of a view has its filters too, so that a link shows them to others, who do not have the view. */
function getViewPath({ id, query }: Pick<SavedView, 'id' | 'query'>): string {
  const parameters = new URLSearchParams(query)
  parameters.set('view', id)
  return `/runs?${parameters}`
}
