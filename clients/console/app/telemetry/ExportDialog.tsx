/** Exports the records of the current filters as a file. */
import { defaultColumns } from '../../../../spec/telemetry/columns.ts'
import { messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ChoiceField, Field, NumberField } from '../parts/forms/Field.tsx'
import { type ExportFormat, exportTelemetry } from './exportTelemetry.ts'
import type { TelemetryFilters } from './telemetryFilters.ts'

const texts = messages.telemetry.exporting

interface ExportDialogProps extends Pick<TelemetryFilters, 'kind' | 'filter'> {
  onClose(): void
}

export function ExportDialog({ kind, filter, onClose }: ExportDialogProps) {
  return (
    <ConfirmDialog
      title={texts.title}
      confirmLabel={texts.download}
      onClose={onClose}
      onConfirm={async (formData) => {
        const read = (name: string) => String(formData.get(name) ?? '').trim()
        await exportTelemetry({
          kind,
          format: read('format') as ExportFormat,
          query: { ...filter, limit: read('limit') === '' ? null : Number(read('limit')) },
          columns: read('columns')
            .split(',')
            .map((column) => column.trim())
            .filter(Boolean),
        })
      }}
    >
      <p>{texts.description}</p>
      <ChoiceField
        name="format"
        label={texts.format}
        choices={{ CSV: 'CSV', MARKDOWN: 'Markdown', PDF: 'PDF' }}
        value="CSV"
      />
      <Field
        name="columns"
        label={texts.columns}
        hint={texts.columnsHint}
        value={defaultColumns[kind].join(', ')}
        maxLength={20_000}
      />
      <NumberField name="limit" label={texts.limit} hint={texts.limitHint} value={undefined} min={1} max={50_000} />
    </ConfirmDialog>
  )
}
