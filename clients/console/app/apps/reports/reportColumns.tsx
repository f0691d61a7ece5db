/** The columns that the lists of crash reports share. */
import { messages } from '../../messages.ts'
import { ForeignText } from '../../parts/ForeignText.tsx'
import type { Column } from '../../parts/lists/ObjectTable.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { formatBuild } from '../app.ts'

export const statusColumn: Column<{ readonly status: string }> = {
  name: messages.parts.filters.status,
  render: ({ status }) => <StatusBadge status={status} />,
}

export const buildColumn: Column<{ readonly version: string; readonly build: string }> = {
  name: messages.apps.build,
  isWide: true,
  render: (report) => <ForeignText text={formatBuild(report)} />,
}

export const systemColumn: Column<{
  readonly osName: string
  readonly osVersion: string
  readonly deviceModel: string | null
}> = {
  name: messages.crashReports.system,
  isWide: true,
  render: ({ osName, osVersion, deviceModel }) => (
    <>
      <ForeignText text={`${osName} ${osVersion}`} />
      {deviceModel !== null && (
        <p class="hint">
          <ForeignText text={deviceModel} />
        </p>
      )}
    </>
  ),
}
