/**
 * The files of the coverage of a build. They are the content of the build, in pieces of JSON, so that its actor does not have them in memory.
 * A list is read whole and sorted for each page: the bound of its files keeps that short.
 */
import * as v from 'valibot'
import type { BuildCoverage } from '../../../machines/builds/buildActions.ts'
import {
  buildCoverage,
  type buildCoverageFile,
  coverageFileArguments,
  type coverageFileFields,
  coverageFiles,
} from '../../../spec/builds/coverage.ts'
import { nestedPageArguments } from '../../../spec/core/connections.ts'
import { positionOfText } from '../core/computedConnection.ts'
import { directionOf, type Page, type PageArguments, pageOf } from '../core/connections.ts'
import type { GraphqlObject, PartType, RelationContext } from '../objectType.ts'

type CoverageFile = v.InferInput<typeof buildCoverageFile>
type Lines = { readonly linesCovered: number; readonly linesTotal: number }
type Branches = { readonly branchesCovered: number | null; readonly branchesTotal: number | null }
type StoredFile = readonly [
  path: string,
  linesCovered: number,
  linesTotal: number,
  branchesCovered: number | null,
  branchesTotal: number | null,
]
type Field = (typeof coverageFileFields)[number]
type FileArguments = PageArguments & {
  readonly search?: string | null | undefined
  readonly orderBy?: { readonly field: Field; readonly direction: 'ASC' | 'DESC' } | null | undefined
}

/** Rounded down to two digits, so that only a file whose lines were all executed has 100. */
export function percentOf({ linesCovered, linesTotal }: Lines): number | null {
  return linesTotal === 0 ? null : Math.floor((linesCovered * 10_000) / linesTotal) / 100
}

/** In percentage points. Null if one of them has no lines. */
export function subtractPercents(percent: number | null, former: number | null): number | null {
  // The difference of two decimal fractions has more digits.
  return percent === null || former === null ? null : Math.round((percent - former) * 100) / 100
}

/** A file as an agent reports it. */
type ReportedFile = Lines & { readonly path: string } & { readonly [K in keyof Branches]?: number | null | undefined }

export function encodePiece(files: readonly ReportedFile[]): Uint8Array {
  const stored = files.map(
    ({ path, linesCovered, linesTotal, branchesCovered, branchesTotal }): StoredFile => [
      path,
      linesCovered,
      linesTotal,
      branchesCovered ?? null,
      branchesTotal ?? null,
    ],
  )
  return new TextEncoder().encode(JSON.stringify(stored))
}

async function readStored(buildId: string, contents: RelationContext['contents']): Promise<readonly StoredFile[]> {
  const files: StoredFile[] = []
  for await (const piece of contents.read(buildId))
    files.push(...(JSON.parse(new TextDecoder().decode(piece)) as readonly StoredFile[]))
  return files
}

/** The files of a build, with their changes since the previous one. They have no order. */
export async function readCoverageFiles(
  buildId: string,
  previous: Pick<NonNullable<BuildCoverage['previous']>, 'buildId'> | null,
  contents: RelationContext['contents'],
): Promise<readonly CoverageFile[]> {
  const [files, former] = await Promise.all([
    readStored(buildId, contents),
    previous === null ? [] : readStored(previous.buildId, contents),
  ])
  const percents = new Map(
    former.map(([path, linesCovered, linesTotal]) => [path, percentOf({ linesCovered, linesTotal })]),
  )
  return files.map(([path, linesCovered, linesTotal, branchesCovered, branchesTotal]) => {
    const percent = percentOf({ linesCovered, linesTotal })
    const change = subtractPercents(percent, percents.get(path) ?? null)
    return { path, linesCovered, linesTotal, percent, branchesCovered, branchesTotal, change }
  })
}

const values: Readonly<Record<Exclude<Field, 'PATH'>, (file: CoverageFile) => number | null>> = {
  PERCENT: ({ percent }) => percent,
  LINES_MISSED: ({ linesCovered, linesTotal }) => linesTotal - linesCovered,
  CHANGE: ({ change }) => change,
}

const byPath = (a: CoverageFile, b: CoverageFile): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)

/** Files without the value are last in both directions. */
function sortFiles(files: readonly CoverageFile[], { field, direction }: NonNullable<FileArguments['orderBy']>) {
  const sign = direction === 'ASC' ? 1 : -1
  if (field === 'PATH') return files.toSorted((a, b) => sign * byPath(a, b))
  const readValue = values[field]
  return files.toSorted((a, b) => {
    const [left, right] = [readValue(a), readValue(b)]
    if (left === right) return byPath(a, b)
    if (left === null || right === null) return left === null ? 1 : -1
    return sign * (left - right)
  })
}

/** A page of the files that match, in the order of the request. */
export function pageOfFiles(files: readonly CoverageFile[], args: FileArguments): Page<CoverageFile> {
  const { search, orderBy } = args
  const wanted = search?.toLowerCase() ?? ''
  const order = orderBy ?? { field: 'PERCENT', direction: 'ASC' }
  const direction = directionOf({ ...args, orderBy: order })
  const found = sortFiles(
    files.filter(({ path }) => path.toLowerCase().includes(wanted)),
    order,
  )
  const items = direction.backward ? found.reverse() : found
  const at =
    direction.after === undefined ? -1 : items.findIndex(({ path }) => positionOfText(path) === direction.after)
  const rest = items.slice(at + 1, at + 2 + direction.limit)
  return pageOf(
    rest,
    direction,
    ({ path }) => positionOfText(path),
    (file) => file,
    items.length,
  )
}

export const buildCoverageType: PartType = {
  name: 'BuildCoverage',
  schema: buildCoverage,
  relations: {
    files: {
      type: 'derived',
      output: coverageFiles,
      arguments: v.object({ ...nestedPageArguments.entries, ...coverageFileArguments }),
      nullable: false,
      description: 'The files with their lines, the worst first.',
      load: async (parents: readonly GraphqlObject[], { contents }: RelationContext, args: FileArguments) => {
        const pages: Page<CoverageFile>[] = []
        // One after the other, so that only the files of one build are in memory, and other requests are answered in between.
        for (const { buildId, previousBuildId } of parents) {
          const previous = previousBuildId === null ? null : { buildId: String(previousBuildId) }
          pages.push(pageOfFiles(await readCoverageFiles(String(buildId), previous, contents), args))
        }
        return pages
      },
    },
  },
}
