/** Notes that were not deleted, newest first. */
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { VirtualRows } from '../parts/lists/VirtualRows.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'

const notesQuery = graphql(`query ($after: String) { notes(first: 50, after: $after) {
  totalCount pageInfo { hasNextPage endCursor } nodes { id name }
} }`)

type NoteItem = ResultOf<typeof notesQuery>['notes']['nodes'][number]

export function NotesPage() {
  useDocumentTitle(['Notes'])
  const { items, error, loadMore, refresh } = usePagedList(notesQuery, 'notes', {}, getId)
  useOnTransition('NOTE', refresh)
  return (
    <section>
      <h1>Notes</h1>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items === undefined && !error && <Loading />}
      {items?.length === 0 && <EmptyState title="No notes yet" />}
      {items && (
        <VirtualRows
          label="Notes"
          rows={items}
          rowHeight={48}
          getId={getId}
          onNearEnd={loadMore}
          renderRow={({ id, name }) => <a href={`/actors/${id}`}>{name}</a>}
        />
      )}
    </section>
  )
}

function getId({ id }: NoteItem): string {
  return id
}
