/** The saved telemetry queries of all users: choose, save, change, rename and delete one. */
import { requestGraphql } from '../data/request.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { NameDialog } from '../parts/forms/NameDialog.tsx'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { navigate, useFilters } from '../router.ts'
import { useDialog } from '../state/dialogStore.ts'
import { useRequest } from '../state/requestStore.ts'
import {
  getTelemetryPath,
  isFiltered,
  isSameFilter,
  readSavedFilter,
  type SavedQuery,
  type TelemetryFilters,
} from './telemetryFilters.ts'
import { createQueryMutation, deleteQueryMutation, queriesQuery, updateQueryMutation } from './telemetryQueries.ts'

const texts = messages.telemetry.queries
const keys = createRepeatKeys()

export function SavedQueries({ kind, filter }: TelemetryFilters) {
  const { query: queryId } = useFilters()
  const { data, error, refresh } = useQuery(queriesQuery, {})
  useOnTransition('TELEMETRY_QUERY', refresh)
  const { dialog, open, close } = useDialog<'save' | 'rename' | 'delete'>()
  const update = useRequest<void>()
  const problem = update.error ?? error
  const all = data?.telemetryQueries.nodes ?? []
  const queries = all.filter((query) => query.kind === kind)
  const unlistedCount = (data?.telemetryQueries.totalCount ?? 0) - all.length
  const chosen = queries.find(({ id }) => id === queryId)
  const isChanged = chosen === undefined ? isFiltered(filter) : !isSameFilter(readSavedFilter(chosen), filter)
  const change = async (query: SavedQuery, input: { readonly name?: string; readonly filter?: typeof filter }) => {
    await requestGraphql(updateQueryMutation, {
      input: { queryId: query.id, expectedRevision: query.revision, ...input },
    })
    refresh()
  }
  return (
    <div class="saved-views">
      <select
        aria-label={texts.label}
        value={chosen?.id ?? (isChanged ? 'unsaved' : '')}
        onChange={({ currentTarget: { value } }) => {
          const query = queries.find(({ id }) => id === value)
          if (query) navigate(getTelemetryPath(kind, readSavedFilter(query), query.id))
          else if (value === '') navigate(getTelemetryPath(kind))
        }}
      >
        <option value="">{texts.none}</option>
        {chosen === undefined && isChanged && <option value="unsaved">{texts.unsaved}</option>}
        {queries.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {unlistedCount > 0 && <option disabled>{format(texts.more, { count: unlistedCount })}</option>}
      </select>
      {chosen && isChanged && (
        <ActionButton isBusy={update.status === 'pending'} onClick={() => void update.send(change(chosen, { filter }))}>
          {texts.update}
        </ActionButton>
      )}
      {isChanged && <ActionButton onClick={() => open('save')}>{texts.save}</ActionButton>}
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
            const input = { name, kind, filter }
            const { createTelemetryQuery } = await requestGraphql(createQueryMutation, {
              input: { ...input, idempotencyKey: keys.get(input) },
            })
            refresh()
            navigate(getTelemetryPath(kind, filter, createTelemetryQuery.telemetryQuery.id))
          }}
        >
          <p class="note">{texts.visible}</p>
        </NameDialog>
      )}
      {dialog === 'rename' && chosen && (
        <NameDialog
          title={texts.rename}
          label={texts.name}
          name={chosen.name}
          onClose={close}
          onName={(name) => change(chosen, { name })}
        />
      )}
      {dialog === 'delete' && chosen && (
        <ConfirmDialog
          title={texts.delete}
          confirmLabel={texts.delete}
          look="danger"
          onClose={close}
          onConfirm={async () => {
            await requestGraphql(deleteQueryMutation, {
              input: { queryId: chosen.id, expectedRevision: chosen.revision },
            })
            refresh()
            navigate(getTelemetryPath(kind))
          }}
        >
          <p>{format(texts.deleteText, { name: chosen.name })}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
