/** All uploads of dSYMs of the last days, updated live. */
import { dsymUploadStatuses } from '../../../../../spec/apps/dsymUploads.ts'
import { messages } from '../../messages.ts'
import { ShowMore } from '../../parts/lists/ShowMore.tsx'
import { StatusFilter, useStatusFilter } from '../../parts/lists/StatusFilter.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { setFilters } from '../../router.ts'
import { AreaTabs } from '../AreaTabs.tsx'
import { UploadGuide } from '../UploadGuide.tsx'
import { UploadCards } from './UploadCards.tsx'
import { useUploads } from './useUploads.ts'

const { uploads: texts } = messages.dsyms

export function DsymUploadsPage() {
  useDocumentTitle([texts.title, messages.apps.title])
  const status = useStatusFilter(dsymUploadStatuses)
  const list = useUploads(status === null ? null : [status])
  const { items, error } = list
  return (
    <section>
      <h1>{texts.title}</h1>
      <AreaTabs current="/dsym-uploads" />
      <StatusFilter statuses={dsymUploadStatuses} />
      <p class="hint">{texts.noneHint}</p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items === undefined && !error && <Loading />}
      {items?.length === 0 && status === null && (
        <EmptyState title={texts.none}>
          <UploadGuide />
        </EmptyState>
      )}
      {items?.length === 0 && status !== null && (
        <EmptyState title={messages.parts.noMatches}>
          <button type="button" class="quiet" onClick={() => setFilters({ status: '' })}>
            {messages.parts.filters.clear}
          </button>
        </EmptyState>
      )}
      {items !== undefined && items.length > 0 && <UploadCards uploads={items} />}
      <ShowMore shown={items?.length ?? 0} list={list} />
    </section>
  )
}
