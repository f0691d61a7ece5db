/**
 * The lines and branches of the files of all reports of a build. A line that several reports have counts once, and is covered if one of
 * them has executed it. The sizes are bounded, because the reports are made by the steps of the build.
 */
import { excerpt, ReportProblem } from './problem.ts'

const filesMax = 100_000
/** Of the lines and branches of all files. They need about 40 bytes each. */
const entriesMax = 3_000_000
const countMax = 2_000_000_000

export interface Count {
  readonly covered: number
  readonly total: number
}

export interface FileTotals {
  readonly path: string
  readonly lines: Count
  /** Null if no report has its branches. */
  readonly branches: Count | null
}

/** The lines and branches of a file. */
export interface FileEntry {
  readonly lines: Map<number, boolean>
  /** By a key that is unique within the file. */
  readonly branches: Map<string, Count>
  /** Of reports that have no single lines. They count only if no other report has the lines. */
  lineTotals: Count | undefined
  branchTotals: Count | undefined
}

export interface TableLimits {
  readonly files: number
  readonly entries: number
}

export class CoverageTable {
  readonly #files = new Map<string, FileEntry>()
  readonly #limits: TableLimits
  #entries = 0

  constructor(limits: TableLimits = { files: filesMax, entries: entriesMax }) {
    this.#limits = limits
  }

  get fileCount(): number {
    return this.#files.size
  }

  /** @throws ReportProblem */
  file(path: string): FileEntry {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    if (this.#files.size >= this.#limits.files) throw tooLarge(`more than ${this.#limits.files} files`)
    const file: FileEntry = { lines: new Map(), branches: new Map(), lineTotals: undefined, branchTotals: undefined }
    this.#files.set(path, file)
    return file
  }

  /** @throws ReportProblem */
  addLine({ lines }: FileEntry, line: number, isCovered: boolean): void {
    const known = lines.get(line)
    if (known === undefined) this.#count()
    if (known === undefined || (isCovered && !known)) lines.set(line, isCovered)
  }

  /** @throws ReportProblem */
  addBranch({ branches }: FileEntry, key: string, count: Count): void {
    const known = branches.get(key)
    if (known === undefined) this.#count()
    branches.set(key, larger(known, count))
  }

  addLineTotals(file: FileEntry, count: Count): void {
    file.lineTotals = larger(file.lineTotals, count)
  }

  addBranchTotals(file: FileEntry, count: Count): void {
    file.branchTotals = larger(file.branchTotals, count)
  }

  /** The files that have lines, in the order of their paths. */
  totals(): readonly FileTotals[] {
    return [...this.#files]
      .map(([path, file]) => ({ path, lines: linesOf(file), branches: branchesOf(file) }))
      .filter(({ lines }) => lines.total > 0)
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  #count(): void {
    this.#entries += 1
    if (this.#entries > this.#limits.entries) throw tooLarge(`more than ${this.#limits.entries} lines and branches`)
  }
}

/** Reads two whole numbers of a report. Undefined unless the first is at most the second. */
export function toCount(covered: unknown, total: unknown): Count | undefined {
  const isCount = (value: unknown): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= countMax
  return isCount(covered) && isCount(total) && covered <= total ? { covered, total } : undefined
}

/** The sum, at most the largest number that the control plane stores. */
export function addCounts(counts: readonly Count[]): Count {
  let covered = 0
  let total = 0
  for (const count of counts) {
    covered += count.covered
    total += count.total
  }
  return { covered: Math.min(covered, countMax), total: Math.min(total, countMax) }
}

/** Several reports of the same lines: the most lines, and the most that were executed. */
function larger(known: Count | undefined, { covered, total }: Count): Count {
  return known === undefined
    ? { covered, total }
    : { covered: Math.max(known.covered, covered), total: Math.max(known.total, total) }
}

function linesOf({ lines, lineTotals }: FileEntry): Count {
  if (lines.size === 0) return lineTotals ?? { covered: 0, total: 0 }
  let covered = 0
  for (const isCovered of lines.values()) if (isCovered) covered += 1
  return { covered, total: lines.size }
}

function branchesOf({ branches, branchTotals }: FileEntry): Count | null {
  return branches.size === 0 ? (branchTotals ?? null) : addCounts([...branches.values()])
}

function tooLarge(what: string): ReportProblem {
  return new ReportProblem(
    'COVERAGE_REPORT_TOO_LARGE',
    `the reports have ${excerpt(what)}. Report only the sources of the repository.`,
  )
}
