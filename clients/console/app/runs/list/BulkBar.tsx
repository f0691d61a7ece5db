/** The actions on the selected runs, below the table. */
import { useState } from 'preact/hooks'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { useDialog } from '../../state/dialogStore.ts'
import { BulkRunDialog } from './BulkRunDialog.tsx'
import type { BulkRunAction, Selection } from './bulkRunAction.ts'
import type { RunFilter } from './runFilters.ts'

const { bulk, select } = messages.runs

interface BulkBarProps {
  readonly ids: readonly string[]
  readonly filter: RunFilter
  /** Whether all loaded runs are selected, and the filter has more. */
  readonly canSelectFilter: boolean
  onClear(): void
}

export function BulkBar({ ids, filter, canSelectFilter, onClear }: BulkBarProps) {
  const [isWholeFilter, setWholeFilter] = useState(false)
  const { dialog, open, close } = useDialog<{ readonly action: BulkRunAction; readonly selection: Selection }>()
  const isFilter = isWholeFilter && canSelectFilter
  const openDialog = (action: BulkRunAction) => open({ action, selection: isFilter ? { filter } : { ids } })
  return (
    <section class="bulk-bar" aria-label={bulk.label}>
      <span role="status">{isFilter ? select.filterSelected : format(select.count, { count: ids.length })}</span>
      {canSelectFilter && !isFilter && (
        <button type="button" class="quiet" onClick={() => setWholeFilter(true)}>
          {select.filter}
        </button>
      )}
      <ActionButton onClick={() => openDialog('RETRY')}>{bulk.retry.name}</ActionButton>
      <ActionButton look="danger" onClick={() => openDialog('CANCEL')}>
        {bulk.cancel.name}
      </ActionButton>
      <button type="button" class="quiet" onClick={onClear}>
        {select.clear}
      </button>
      {dialog && (
        <BulkRunDialog
          {...dialog}
          onClose={(hasActed) => {
            close()
            if (hasActed) onClear()
          }}
        />
      )}
    </section>
  )
}
