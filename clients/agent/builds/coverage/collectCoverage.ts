/** Reads the coverage of a build after its steps, and reports it to the control plane. */
import { readRecord, writeRecord } from '../../jobs/folder.ts'
import { reportBuildCoverage } from '../../operations.ts'
import type { Collecting } from '../collecting.ts'
import { addCounts, type Count, type FileTotals } from './coverageTable.ts'
import { readReports } from './readReports.ts'

/** As the control plane has them: `spec/builds/coverage.ts`. */
const filesMax = 10_000
const pieceMax = 500
const piecesMax = 40
/** So that a request is smaller than the largest message of a socket. */
const pieceBytes = 256 * 1024

/**
 * The reports are read once, so that a restarted agent reports the same numbers.
 * @throws ReportProblem, ControlPlaneError, ConnectionLost
 */
export async function collectCoverage(
  checkout: string,
  { folder, spec, uplink, signal }: Collecting,
  note: (line: string) => void,
): Promise<void> {
  if (spec.coverageReports === undefined) return
  let record = await readRecord(folder, 'coverage')
  if (record === undefined) {
    record = summarize(await readReports(checkout, spec.coverageReports, { note, signal }))
    note(describe(record.totals))
    await writeRecord(folder, 'coverage', record)
  }
  const { jobId, attempt } = folder
  const { pieces, totals } = record
  for (const [piece, files] of pieces.entries()) {
    const isLast = piece === pieces.length - 1
    await uplink.ask(reportBuildCoverage, { jobId, attempt, piece, files, ...(isLast ? { totals } : {}) }, signal)
  }
}

interface CoveredFile {
  path: string
  linesCovered: number
  linesTotal: number
  branchesCovered: number | null
  branchesTotal: number | null
}

/** Keeps the files with the most lines that were not executed, if there are too many. The sums have all. */
export function summarize(all: readonly FileTotals[]) {
  const missed = ({ lines }: FileTotals) => lines.total - lines.covered
  const kept = all.toSorted((a, b) => missed(b) - missed(a)).slice(0, filesMax)
  const pieces = toPieces(kept).slice(0, piecesMax)
  const lines = addCounts(all.map((file) => file.lines))
  const branches = all.map((file) => file.branches).filter((count): count is Count => count !== null)
  const omittedFileCount = all.length - pieces.reduce((sum, piece) => sum + piece.length, 0)
  const totals = {
    ...toFields(lines, branches.length === 0 ? null : addCounts(branches)),
    ...{ fileCount: all.length, omittedFileCount },
  }
  return { pieces, totals }
}

function toFields(lines: Count, branches: Count | null) {
  return {
    linesCovered: lines.covered,
    linesTotal: lines.total,
    branchesCovered: branches?.covered ?? null,
    branchesTotal: branches?.total ?? null,
  }
}

/** At least one piece, which has the totals. */
function toPieces(files: readonly FileTotals[]): CoveredFile[][] {
  const pieces: CoveredFile[][] = [[]]
  let bytes = 0
  for (const { path, lines, branches } of files) {
    const file = { path, ...toFields(lines, branches) }
    const size = Buffer.byteLength(JSON.stringify(file))
    const last = pieces.at(-1) ?? []
    if (last.length > 0 && (last.length >= pieceMax || bytes + size > pieceBytes)) {
      pieces.push([file])
      bytes = size
    } else {
      last.push(file)
      bytes += size
    }
  }
  return pieces
}

function describe({ linesCovered, linesTotal, fileCount }: ReturnType<typeof summarize>['totals']): string {
  const percent = linesTotal === 0 ? 0 : Math.floor((linesCovered * 10_000) / linesTotal) / 100
  return `Coverage: ${linesCovered} of ${linesTotal} lines (${percent.toFixed(2)} %), files: ${fileCount}`
}
