/** The coverage of a build: how many of the lines of each file its steps have executed. */
import * as v from 'valibot'
import { jobAttempt, jobReceipt } from '../agents/jobs.ts'
import { connectionOf, orderDirection, pageArguments } from '../core/connections.ts'
import { mutation, query } from '../core/operation.ts'
import { id, idOf, int, named, text } from '../core/types.ts'
import { artifactPath } from './artifacts.ts'

/** The maximum number of files of one build. Their totals count the files beyond it too. */
export const coverageFilesMax = 10_000
/** The maximum number of files of one request of an agent. */
export const coveragePieceMax = 500
/** More than the files need: pieces with long paths have fewer files. */
const piecesMax = 40

const percent = v.pipe(
  v.nullable(v.number()),
  v.description('The part of the lines that was executed, rounded down to two digits. Null without lines.'),
)

const branches = {
  branchesCovered: v.pipe(
    v.nullable(int),
    v.description('The branches that were taken. Null if no report has branches. XCCOV never has any.'),
  ),
  branchesTotal: v.pipe(v.nullable(int), v.description('The branches that can be taken. Null as `branchesCovered`.')),
}

export const buildCoverage = named(
  'BuildCoverage',
  'The coverage of the lines of a build.',
  v.object({
    buildId: id,
    linesCovered: v.pipe(int, v.description('The lines that were executed.')),
    linesTotal: v.pipe(int, v.description('The lines that can be executed.')),
    percent,
    ...branches,
    change: v.pipe(
      v.nullable(v.number()),
      v.description('`percent` minus that of the previous build, in percentage points. Null if there is none.'),
    ),
    previousBuildId: v.pipe(
      v.nullable(id),
      v.description(
        'The last COVERAGE build of the same configuration and branch that had succeeded when the reports were read. Null if there was none.',
      ),
    ),
    fileCount: v.pipe(int, v.description('The number of files with lines.')),
    omittedFileCount: v.pipe(
      int,
      v.description(
        `The files that are in the totals and not in the list: a build keeps the ${coverageFilesMax} files with the most lines that were not executed.`,
      ),
    ),
  }),
)

export const buildCoverageFile = named(
  'BuildCoverageFile',
  'The coverage of the lines of a file.',
  v.object({
    path: v.pipe(v.string(), v.description('The path of the file in the checkout.')),
    linesCovered: int,
    linesTotal: int,
    percent,
    ...branches,
    change: v.pipe(
      v.nullable(v.number()),
      v.description(
        '`percent` minus that of the same path in the previous build, in percentage points. Null if that has no such file.',
      ),
    ),
  }),
)

export const coverageFileFields = ['PERCENT', 'LINES_MISSED', 'CHANGE', 'PATH'] as const

/** The arguments of every list of the files. */
export const coverageFileArguments = {
  search: v.pipe(
    v.nullish(text({ max: 200 })),
    v.description('Returns only files whose path contains this text, in any case. Default: all.'),
  ),
  orderBy: v.pipe(
    v.nullish(
      named(
        'BuildCoverageFileOrderInput',
        'The order of a list of files. Equal values are ordered by their paths.',
        v.object({
          field: named(
            'BuildCoverageFileOrderField',
            'A field by which files are ordered. LINES_MISSED: the lines that were not executed. CHANGE: files without one are last.',
            v.picklist(coverageFileFields),
          ),
          direction: orderDirection,
        }),
      ),
    ),
    v.description('Default: PERCENT, ASC: the worst first.'),
  ),
}

export const coverageFiles = connectionOf('BuildCoverageFile', buildCoverageFile)

export const buildCoverageFiles = query({
  name: 'buildCoverageFiles',
  description: 'The files of a COVERAGE build with their lines, the worst first. None until its reports were read.',
  access: 'people',
  cost: 20,
  tool: {
    group: 'builds',
    name: 'get_build_coverage_files',
    title: 'List the coverage of files',
    description:
      'Lists the files of a COVERAGE build: lines, executed lines, percent, and the change against the previous build of its branch. The ' +
      'worst are first. `search` finds paths. `get_build` has the totals.',
  },
  input: v.object({ ...pageArguments, buildId: idOf('build'), ...coverageFileArguments }),
  output: coverageFiles,
})

const count = v.pipe(int, v.minValue(0), v.maxValue(2_000_000_000))
const counts = {
  linesCovered: count,
  linesTotal: count,
  branchesCovered: v.pipe(v.nullish(count), v.description('Null if the branches are not known.')),
  branchesTotal: v.pipe(v.nullish(count), v.description('Null if the branches are not known.')),
}
type Counts = v.InferOutput<v.ObjectSchema<typeof counts, undefined>>
const isConsistent = ({ linesCovered, linesTotal, branchesCovered, branchesTotal }: Counts): boolean =>
  linesCovered <= linesTotal && (branchesCovered ?? 0) <= (branchesTotal ?? 0)
const inconsistent = 'must not have more executed lines than lines, or more taken branches than branches'

export const reportBuildCoverage = mutation({
  name: 'reportBuildCoverage',
  description:
    'Stores the coverage that an agent has read from the reports of a build: the files in pieces, and with the last one the totals. A repeat changes nothing.',
  access: 'agents',
  input: v.object({
    ...jobAttempt,
    piece: v.pipe(
      int,
      v.minValue(0),
      v.maxValue(piecesMax - 1),
      v.description('The number of the piece, from 0. The files of the same number are stored once.'),
    ),
    files: v.pipe(
      v.array(
        named(
          'CoveredFileInput',
          'The lines of a file.',
          v.pipe(
            v.object({ path: artifactPath, ...counts }),
            v.check((one) => isConsistent(one), inconsistent),
          ),
        ),
      ),
      v.maxLength(coveragePieceMax),
    ),
    totals: v.pipe(
      v.nullish(
        named(
          'CoverageTotalsInput',
          'The sums of all files.',
          v.pipe(
            v.object({ ...counts, fileCount: count, omittedFileCount: count }),
            v.check((one) => isConsistent(one), inconsistent),
          ),
        ),
      ),
      v.description('With the last piece, which completes the coverage.'),
    ),
  }),
  output: jobReceipt,
})
