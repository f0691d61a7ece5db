/** A status with its label, and the shape and color of its tone. */
import { formatName } from './formatName.ts'
import { getStatusTone, type StatusTone } from './statusTone.ts'

export function StatusBadge({ status }: { readonly status: string }) {
  return <Badge tone={getStatusTone(status)} label={formatName(status)} />
}

/** A status that the API does not name. */
export function Badge({ tone, label }: { readonly tone: StatusTone; readonly label: string }) {
  return (
    <span class="status-badge" data-tone={tone}>
      {label}
    </span>
  )
}
