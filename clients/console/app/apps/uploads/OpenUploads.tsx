/** The uploads of dSYMs that are in progress or have failed. Nothing if there are none. */
import { messages } from '../../messages.ts'
import { ShowMore } from '../../parts/lists/ShowMore.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { UploadCards } from './UploadCards.tsx'
import { useUploads } from './useUploads.ts'

const { uploads: texts } = messages.dsyms

const statuses = ['CREATED', 'RECEIVING', 'VERIFYING', 'INDEXING', 'FAILED'] as const

export function OpenUploads() {
  const list = useUploads(statuses)
  const { items, error } = list
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items !== undefined && items.length > 0 && (
        <section class="open-uploads" aria-labelledby="open-uploads">
          <div class="heading-row">
            <h2 id="open-uploads">{texts.openTitle}</h2>
            <a href="/dsym-uploads">{texts.all}</a>
          </div>
          <p class="hint">{texts.openHint}</p>
          <UploadCards uploads={items} />
          <ShowMore shown={items.length} list={list} />
        </section>
      )}
    </>
  )
}
