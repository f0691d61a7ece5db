/** The builds with reports in a group. The build with the most reports comes first. */
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { usePagedConnection } from '../../data/usePagedList.ts'
import { formatNumber, messages } from '../../messages.ts'
import { ForeignText } from '../../parts/ForeignText.tsx'
import { ObjectList } from '../../parts/lists/ObjectList.tsx'
import type { Column } from '../../parts/lists/ObjectTable.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { formatBuild } from '../app.ts'

const texts = messages.crashGroups

const buildsQuery = graphql(`query ($after: String, $id: ID!) {
  crashGroup(id: $id) { builds(first: 10, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { version build reportCount }
  } }
}`)

type GroupBuild = NonNullable<ResultOf<typeof buildsQuery>['crashGroup']>['builds']['nodes'][number]

const getId = ({ version, build }: GroupBuild): string => JSON.stringify([version, build])

const columns: readonly Column<GroupBuild>[] = [
  { name: messages.apps.build, render: (build) => <ForeignText text={formatBuild(build)} /> },
  { name: texts.reports, render: ({ reportCount }) => formatNumber(reportCount) },
]

export function GroupBuilds({ id }: { readonly id: string }) {
  const list = usePagedConnection(buildsQuery, ({ crashGroup }) => crashGroup?.builds, { id }, getId)
  useOnActorTransition(id, list.refresh)
  return (
    <section aria-labelledby="group-builds">
      <h3 id="group-builds">{texts.byBuild}</h3>
      <ObjectList
        label={texts.byBuild}
        list={list}
        getId={getId}
        isFiltered={false}
        empty={<EmptyState title={texts.none} />}
        columns={columns}
      />
    </section>
  )
}
