/** Uploads of dSYMs as cards, each with its progress. */
import { messages } from '../../messages.ts'
import { ForeignText } from '../../parts/ForeignText.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { DeleteUpload } from './DeleteUpload.tsx'
import type { DsymUpload } from './dsymUpload.ts'
import { UploadState } from './UploadState.tsx'

export function UploadCards({ uploads }: { readonly uploads: readonly DsymUpload[] }) {
  return (
    <ul class="cards" aria-label={messages.dsyms.uploads.title}>
      {uploads.map((upload) => (
        <li key={upload.id} class="upload-card">
          <a class="item-name" href={`/dsym-uploads/${upload.id}`}>
            <ForeignText text={upload.name} />
          </a>
          <StatusBadge status={upload.status} />
          <UploadState upload={upload} />
          <DeleteUpload upload={upload} />
        </li>
      ))}
    </ul>
  )
}
