/** The user's saved views of the list of runs: choose, save, change, rename and delete one. */
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { NameDialog } from '../../parts/forms/NameDialog.tsx'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { ErrorMessage } from '../../parts/messages/ErrorMessage.tsx'
import { navigate, useFilters } from '../../router.ts'
import { useDialog } from '../../state/dialogStore.ts'
import { useRequest } from '../../state/requestStore.ts'

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
  const { view: viewId = '', ...filters } = useFilters()
  const query = new URLSearchParams(filters).toString()
  const { data, error, refresh } = useQuery(viewsQuery, {})
  const { dialog, open, close } = useDialog<'save' | 'rename' | 'delete'>()
  const update = useRequest<void>()
  const problem = update.error ?? error
  const views = data?.savedViews.nodes ?? []
  const chosen = views.find(({ id }) => id === viewId)
  const change = async (input: { readonly name: string } | { readonly query: string }, view: SavedView) => {
    await requestGraphql(updateMutation, { input: { viewId: view.id, expectedRevision: view.revision, ...input } })
    refresh()
  }
  return (
    <div class="saved-views">
      <select
        aria-label={texts.label}
        value={chosen?.id ?? (query === '' ? '' : 'unsaved')}
        onChange={({ currentTarget }) => {
          const view = views.find(({ id }) => id === currentTarget.value)
          if (currentTarget.value !== 'unsaved') navigate(view === undefined ? '/runs' : getViewPath(view))
        }}
      >
        <option value="">{texts.none}</option>
        {chosen === undefined && query !== '' && <option value="unsaved">{texts.unsaved}</option>}
        {views.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {chosen && chosen.query !== query && (
        <ActionButton isBusy={update.status === 'pending'} onClick={() => void update.send(change({ query }, chosen))}>
          {texts.update}
        </ActionButton>
      )}
      {query !== '' && chosen?.query !== query && (
        <ActionButton onClick={() => open('save')}>{texts.save}</ActionButton>
      )}
      {chosen && <ActionButton onClick={() => open('rename')}>{texts.rename}</ActionButton>}
      {chosen && <ActionButton onClick={() => open('delete')}>{texts.delete}</ActionButton>}
      {problem && <ErrorMessage error={problem} />}
      {dialog === 'save' && (
        <NameDialog
          title={texts.save}
          label={texts.name}
          name=""
          onClose={close}
          onName={async (name) => {
            const input = { name, page: 'RUNS', query } as const
            const { createSavedView } = await requestGraphql(createMutation, {
              input: { ...input, idempotencyKey: keys.get(input) },
            })
            refresh()
            navigate(getViewPath({ id: createSavedView.savedView.id, query }))
          }}
        />
      )}
      {dialog === 'rename' && chosen && (
        <NameDialog
          title={texts.rename}
          label={texts.name}
          name={chosen.name}
          onClose={close}
          onName={(name) => change({ name }, chosen)}
        />
      )}
      {dialog === 'delete' && chosen && (
        <ConfirmDialog
          title={texts.delete}
          confirmLabel={texts.delete}
          onClose={close}
          onConfirm={async () => {
            await requestGraphql(deleteMutation, { input: { viewId: chosen.id, expectedRevision: chosen.revision } })
            refresh()
            navigate('/runs')
          }}
        >
          <p>{format(texts.deleteText, { name: chosen.name })}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

/** The address of a view has its filters too, so that a link shows them to others, who do not have the view. */
function getViewPath({ id, query }: Pick<SavedView, 'id' | 'query'>): string {
  const parameters = new URLSearchParams(query)
  parameters.set('view', id)
  return `/runs?${parameters}`
}
