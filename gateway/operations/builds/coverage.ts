import type { BuildCoverage, BuildInit } from '../../../machines/builds/buildActions.ts'
import { buildCoverageFiles, reportBuildCoverage } from '../../../spec/builds/coverage.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { ownJob } from '../agents/jobs.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { TypedViews } from '../typedViews.ts'
import { encodePiece, pageOfFiles, percentOf, readCoverageFiles, subtractPercents } from './coverageFiles.ts'

/** The totals of a build, as the API has them. */
export function coverageObject(buildId: string, coverage: BuildCoverage) {
  const { linesCovered, linesTotal, branchesCovered, branchesTotal, fileCount, omittedFileCount, previous } = coverage
  const percent = percentOf(coverage)
  return {
    ...{ buildId, linesCovered, linesTotal, percent, branchesCovered, branchesTotal },
    change: previous && subtractPercents(percent, percentOf(previous)),
    previousBuildId: previous?.buildId ?? null,
    ...{ fileCount, omittedFileCount },
  }
}

const pageSize = 50

/** The last COVERAGE build of a commit of the same configuration and branch that has succeeded, and was started before this one. */
async function findPrevious(
  buildId: string,
  { buildConfigurationId, branch }: BuildInit,
  views: TypedViews,
): Promise<BuildCoverage['previous']> {
  if (!branch) return null
  for (let idBefore = buildId; ; ) {
    const page = await views.list({
      kind: 'build',
      where: { scopeId: buildConfigurationId },
      init: { kind: 'COVERAGE', branch },
      statuses: ['SUCCEEDED'],
      idBefore,
      descending: true,
      limit: pageSize,
    })
    // The files of a worktree may have changes that are never committed.
    const row = page.find(({ init }) => init.slot === undefined)
    const last = page.at(-1)
    if (row?.context.coverage !== undefined) {
      const { linesCovered, linesTotal } = row.context.coverage
      return { buildId: row.id, linesCovered, linesTotal }
    }
    if (row !== undefined || last === undefined || page.length < pageSize) return null
    idBefore = last.id
  }
}

export const coverageHandlers = [
  handle(buildCoverageFiles, ['views', 'contents'], {
    read: async ({ buildId, ...page }, { views, contents }) => {
      const { coverage } = (await requireRow(views, 'build', buildId)).context
      const files = coverage === undefined ? [] : await readCoverageFiles(buildId, coverage.previous, contents)
      return pageOfFiles(files, page)
    },
  }),
  handle(reportBuildCoverage, ['actors', 'presence', 'views', 'contentStore'], {
    translate: async ({ epoch, jobId, attempt, piece, files, totals }, context) => {
      const { views, contentStore } = context
      const job = await ownJob({ jobId, epoch }, context)
      const { owner } = job.init
      if (owner.kind !== 'build' || job.columns.terminal || job.context.attempt !== attempt)
        throw new Failure('FAILED_PRECONDITION', 'The job is no build that executes.', { details: { jobId } })
      const build = await requireRow(views, 'build', owner.id)
      if (build.init.kind !== 'COVERAGE')
        throw new Failure('FAILED_PRECONDITION', 'The build is not of the kind COVERAGE.', {
          details: { buildId: owner.id },
        })
      // Pieces that arrive after the totals would change a list that was read.
      if (build.context.coverage === undefined) await contentStore.keep(owner.id, piece, encodePiece(files))
      const receipt = () => ({ jobId, attempt, status: job.columns.status })
      if (!totals) return { messages: [], answer: receipt }
      const previous = await findPrevious(owner.id, build.init, views)
      const { branchesCovered = null, branchesTotal = null } = totals
      const event = { type: 'covered', ...totals, branchesCovered, branchesTotal, previous }
      return { messages: [{ to: { kind: 'build', id: owner.id }, event }], answer: receipt }
    },
  }),
]
