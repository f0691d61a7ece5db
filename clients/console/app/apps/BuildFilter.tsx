/** The filter of a list by a build of the app. It is in the address as `version` and `build`. */
import { graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { messages } from '../messages.ts'
import { showControls } from '../parts/splitControls.ts'
import { setFilters, useFilters } from '../router.ts'
import { formatBuild } from './app.ts'

const texts = messages.apps

/** The tab of the builds leads to the reports of older ones. */
const buildsQuery = graphql('query ($id: ID!) { app(id: $id) { builds(first: 100) { nodes { version build } } } }')

interface Build {
  readonly version: string
  readonly build: string
}

/** Returns the build in the address. Undefined for any. */
export function useBuildFilter(): Build | undefined {
  const { version, build } = useFilters()
  return version && build ? { version, build } : undefined
}

export function BuildFilter({ appId }: { readonly appId: string }) {
  const selected = useBuildFilter()
  const { data } = useQuery(buildsQuery, { id: appId })
  const known: readonly Build[] = data?.app?.builds.nodes ?? []
  const isSelected = (one: Build) => one.version === selected?.version && one.build === selected.build
  const builds = selected && !known.some(isSelected) ? [selected, ...known] : known
  return (
    <select
      aria-label={texts.build}
      value={selected ? builds.findIndex(isSelected) : -1}
      onChange={({ currentTarget }) => {
        const { version = '', build = '' } = builds[Number(currentTarget.value)] ?? {}
        setFilters({ version, build })
      }}
    >
      <option value={-1}>{texts.anyBuild}</option>
      {builds.map((one, index) => (
        <option key={JSON.stringify(one)} value={index}>
          {showControls(formatBuild(one))}
        </option>
      ))}
    </select>
  )
}
