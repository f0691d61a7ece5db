/** The coverage of a build: the totals, the change since the previous build of its branch, and the files, the worst first. */
import { useEffect } from 'preact/hooks'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { format, locale, messages } from '../messages.ts'
import { Fact } from '../parts/Fact.tsx'
import { ObjectList } from '../parts/lists/ObjectList.tsx'
import { PausedInput } from '../parts/lists/PausedInput.tsx'
import { setFilters, useFilters } from '../router.ts'
import { type Build, hasEnded } from './build.ts'
import { formatChange, formatPercent } from './formatCoverage.ts'

const { coverage: texts } = messages.builds
const numbers = new Intl.NumberFormat(locale)

const filesQuery = graphql(`query ($after: String, $buildId: ID!, $search: String) {
  buildCoverageFiles(first: 50, after: $after, buildId: $buildId, search: $search, orderBy: { field: LINES_MISSED, direction: DESC }) {
    totalCount nodes { path linesCovered linesTotal percent change } pageInfo { hasNextPage endCursor }
  }
}`)

type CoverageFile = ResultOf<typeof filesQuery>['buildCoverageFiles']['nodes'][number]

export function BuildCoverage({ build }: { readonly build: Build }) {
  const { id, kind, coverage } = build
  if (kind !== 'COVERAGE') return null
  return (
    <section class="coverage" aria-labelledby="coverage">
      <h2 id="coverage">{texts.title}</h2>
      {coverage === null ? (
        <p class="hint">{hasEnded(build) ? texts.none : texts.later}</p>
      ) : (
        <>
          <CoverageFacts coverage={coverage} />
          <CoverageFiles buildId={id} fileCount={coverage.fileCount} />
        </>
      )}
    </section>
  )
}

function CoverageFacts({ coverage }: { readonly coverage: NonNullable<Build['coverage']> }) {
  const { linesCovered, linesTotal, percent, branchesCovered, branchesTotal, change, previousBuildId } = coverage
  const { fileCount, omittedFileCount } = coverage
  const count = (covered: number, total: number) =>
    format(texts.covered, { covered: numbers.format(covered), total: numbers.format(total) })
  return (
    <dl class="facts">
      <Fact name={texts.lines}>
        <strong>{formatPercent(percent)}</strong> ({count(linesCovered, linesTotal)})
      </Fact>
      {branchesCovered !== null && branchesTotal !== null && (
        <Fact name={texts.branches}>{count(branchesCovered, branchesTotal)}</Fact>
      )}
      <Fact name={texts.change}>
        {previousBuildId === null ? (
          texts.noPrevious
        ) : (
          <>
            {formatChange(change)} <a href={`/builds/${previousBuildId}`}>{texts.previous}</a>
          </>
        )}
      </Fact>
      <Fact name={texts.files}>
        {numbers.format(fileCount)}
        {omittedFileCount > 0 && ` (${format(texts.omitted, { count: numbers.format(omittedFileCount) })})`}
      </Fact>
    </dl>
  )
}

function CoverageFiles({ buildId, fileCount }: { readonly buildId: string; readonly fileCount: number }) {
  const { file = '' } = useFilters()
  const search = file.slice(0, 200)
  const list = usePagedList(filesQuery, 'buildCoverageFiles', { buildId, search }, getPath)
  useEffect(list.refresh, [fileCount])
  if (fileCount === 0) return null
  return (
    <>
      <search class="filters">
        <PausedInput name="file" label={texts.filter} value={file} maxLength={200} />
      </search>
      <ObjectList
        label={texts.files}
        list={list}
        getId={getPath}
        isFiltered={search !== ''}
        onClearFilters={() => setFilters({ file: '' })}
        empty={null}
        columns={[
          { name: texts.file, render: ({ path }) => <code>{path}</code> },
          { name: texts.missed, render: ({ linesCovered, linesTotal }) => numbers.format(linesTotal - linesCovered) },
          { name: texts.lines, isWide: true, render: ({ linesTotal }) => numbers.format(linesTotal) },
          { name: texts.title, render: ({ percent }) => formatPercent(percent) },
          { name: texts.change, isWide: true, render: ({ change }) => formatChange(change) },
        ]}
      />
    </>
  )
}

function getPath({ path }: CoverageFile): string {
  return path
}
