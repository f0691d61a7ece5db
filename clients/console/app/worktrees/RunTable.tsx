/** A short table of runs. The page of all runs has more columns. */
import type { EnumValue } from '../data/graphql.ts'
import { messages } from '../messages.ts'
import { formatDuration } from '../parts/formatDuration.ts'
import { formatName } from '../parts/formatName.ts'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'

const { runs: texts } = messages.worktrees

interface RunTableProps {
  readonly label: string
  readonly runs: readonly {
    readonly id: string
    readonly title: string
    readonly kind: EnumValue<'RunKind'>
    readonly status: EnumValue<'RunStatus'>
    readonly durationMs: number | null
    readonly createdAt: string
  }[]
}

export function RunTable({ label, runs }: RunTableProps) {
  return (
    <div class="fleet-table">
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{texts.run}</th>
            <th scope="col">{texts.status}</th>
            <th scope="col" class="wide">
              {texts.kind}
            </th>
            <th scope="col" class="wide">
              {texts.duration}
            </th>
            <th scope="col">{texts.created}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map(({ id, title, kind, status, durationMs, createdAt }) => (
            <tr key={id}>
              <td class="main-cell">
                <a href={`/runs/${id}`}>{title}</a>
              </td>
              <td>
                <StatusBadge status={status} />
              </td>
              <td class="wide">{formatName(kind)}</td>
              <td class="wide">{durationMs !== null && formatDuration(durationMs)}</td>
              <td>
                <RelativeTime at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
