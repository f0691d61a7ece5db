/** The columns of a table of dSYMs. */
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { formatNumber, messages } from '../../messages.ts'
import { ForeignText } from '../../parts/ForeignText.tsx'
import type { Column } from '../../parts/lists/ObjectTable.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { formatBuild } from '../app.ts'

const texts = messages.dsyms

export const dsymRowFragment = graphql(`fragment DsymRowFields on Dsym {
  id status name bundleIdentifier version build imageCount createdAt
}`)

export const dsymColumns: readonly Column<ResultOf<typeof dsymRowFragment>>[] = [
  {
    name: texts.dsym,
    render: ({ id, name, bundleIdentifier }) => (
      <>
        <a class="item-name" href={`/dsyms/${id}`}>
          <ForeignText text={name} />
        </a>
        {bundleIdentifier !== null && (
          <p class="hint">
            <ForeignText text={bundleIdentifier} isCode />
          </p>
        )}
      </>
    ),
  },
  { name: messages.parts.filters.status, isWide: true, render: ({ status }) => <StatusBadge status={status} /> },
  { name: messages.apps.build, render: (dsym) => <ForeignText text={formatBuild(dsym)} /> },
  { name: texts.images, isWide: true, render: ({ imageCount }) => formatNumber(imageCount) },
  { name: texts.uploaded, isWide: true, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
]
