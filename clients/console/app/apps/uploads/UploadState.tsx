/** How far an upload of dSYMs is, and what hinders it. */
import { format, formatParts, messages } from '../../messages.ts'
import { ForeignText } from '../../parts/ForeignText.tsx'
import { formatBytes } from '../../parts/formatBytes.ts'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { showControls } from '../../parts/splitControls.ts'
import { type DsymUpload, measureProgress, type UploadProgress } from './dsymUpload.ts'

const { uploads: texts } = messages.dsyms

export function UploadState({ upload }: { readonly upload: DsymUpload }) {
  const { name, size, status, problem, duplicateOfId, expiresAt, bundleCount, indexedCount, warningCount } = upload
  const progress = measureProgress(upload)
  return (
    <div class="upload-state">
      {progress && (
        <>
          <progress
            aria-label={format(texts.progress, { name: showControls(name) })}
            {...('total' in progress ? { max: progress.total, value: progress.done } : {})}
          />
          <p>{describeProgress(progress, size)}</p>
        </>
      )}
      {status === 'INDEXED' && bundleCount !== null && (
        <p>{format(texts.indexed, { indexed: indexedCount, total: bundleCount })}</p>
      )}
      {status === 'DUPLICATE' && duplicateOfId !== null && (
        <p>
          {formatParts(texts.duplicate, { link: <a href={`/dsym-uploads/${duplicateOfId}`}>{texts.firstUpload}</a> })}
        </p>
      )}
      {problem !== null && (
        <p class="problem">
          <ForeignText text={problem.message} />
        </p>
      )}
      {warningCount > 0 && <p>{format(texts.warningCount, { count: warningCount })}</p>}
      {expiresAt !== null && (
        <p class="hint">{formatParts(texts.expires, { time: <RelativeTime at={expiresAt} /> })}</p>
      )}
    </div>
  )
}

function describeProgress(progress: UploadProgress, size: number): string {
  switch (progress.phase) {
    case 'WAITING':
      return format(texts.waits, { size: formatBytes(size) })
    case 'RECEIVING':
      return format(texts.received, { received: formatBytes(progress.done), size: formatBytes(size) })
    case 'VERIFYING':
      return format(texts.verified, { verified: formatBytes(progress.done), size: formatBytes(size) })
    case 'OPENING':
      return texts.opening
    case 'INDEXING':
      return format(texts.indexed, { indexed: progress.done, total: progress.total })
  }
}
