/** Reads tracefiles of lcov (`man geninfo`), which c8, nyc, llvm-cov and many others write too. */
import { type CoverageTable, type FileEntry, toCount } from './coverageTable.ts'
import { excerpt, invalidLine } from './problem.ts'
import type { ReportParser } from './reportParser.ts'
import type { SourcePaths } from './sourcePaths.ts'

const lineLengthMax = 64 * 1024
const lineNumberMax = 100_000_000
/** Counts may be negative in the output of gcov, and large ones may have an exponent. */
const lineEntry = /^(\d+),(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?:,.*)?$/i
/** The block may have an `e`, which marks a branch that throws, and the branch may be an expression. */
const branchEntry = /^(\d+),([^,]*),(.*),(-|\d+)$/
const keyword = /^([A-Z]+):(.*)$/

interface OpenRecord {
  /** Undefined if the file is not in the checkout. */
  readonly file: FileEntry | undefined
  readonly source: string
  /** The numbers of LF, LH, BRF and BRH. */
  readonly totals: Map<string, number>
}

export class LcovParser implements ReportParser {
  readonly #table: CoverageTable
  readonly #paths: SourcePaths
  #rest = ''
  #line = 0
  #records = 0
  #open: OpenRecord | undefined

  constructor(table: CoverageTable, paths: SourcePaths) {
    this.#table = table
    this.#paths = paths
  }

  write(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#read(line)
    if (this.#rest.length > lineLengthMax)
      throw invalidLine(this.#line + 1, `it has more than ${lineLengthMax} characters`)
  }

  end(): void {
    if (this.#rest !== '') this.#read(this.#rest)
    if (this.#open !== undefined)
      throw invalidLine(
        this.#line,
        `the record of ${excerpt(this.#open.source)} has no end_of_record: the report is cut off`,
      )
    if (this.#records === 0) throw invalidLine(Math.max(this.#line, 1), 'the tracefile has no record (SF)')
  }

  #read(text: string): void {
    this.#line += 1
    const line = text.trim()
    if (line === '' || line.startsWith('#')) return
    if (line === 'end_of_record') {
      this.#close()
      return
    }
    const [, name = '', value = ''] = keyword.exec(line) ?? []
    if (name === '') throw invalidLine(this.#line, `“${excerpt(line)}” is no line of a tracefile`)
    if (name === 'SF') {
      this.#begin(value.trim())
      return
    }
    // TN and the others before a record have no meaning here, and neither have functions.
    if (!['DA', 'BRDA', 'LF', 'LH', 'BRF', 'BRH'].includes(name)) return
    const { file, totals } = this.#requireOpen(name)
    if (name === 'DA') this.#addLine(file, value)
    else if (name === 'BRDA') this.#addBranch(file, value)
    else totals.set(name, this.#number(value, name))
  }

  #begin(source: string): void {
    if (this.#open !== undefined)
      throw invalidLine(
        this.#line,
        `a record begins before that of ${excerpt(this.#open.source)} has its end_of_record`,
      )
    if (source === '') throw invalidLine(this.#line, 'SF has no path')
    const path = this.#paths.find(source)
    const file = path === undefined ? undefined : this.#table.file(path)
    this.#open = { file, source, totals: new Map() }
    this.#records += 1
  }

  #close(): void {
    const { file, totals } = this.#requireOpen('end_of_record')
    this.#open = undefined
    if (file === undefined) return
    const lines = toCount(totals.get('LH'), totals.get('LF'))
    if (lines !== undefined) this.#table.addLineTotals(file, lines)
    const branches = toCount(totals.get('BRH'), totals.get('BRF'))
    if (branches !== undefined && branches.total > 0) this.#table.addBranchTotals(file, branches)
  }

  #addLine(file: FileEntry | undefined, value: string): void {
    const [, line, count] = lineEntry.exec(value) ?? []
    if (line === undefined) throw invalidLine(this.#line, `“${excerpt(`DA:${value}`)}” is no line number and count`)
    if (file !== undefined) this.#table.addLine(file, this.#number(line, 'DA'), Number(count) > 0)
  }

  #addBranch(file: FileEntry | undefined, value: string): void {
    const [, line, block, branch, taken] = branchEntry.exec(value) ?? []
    if (line === undefined)
      throw invalidLine(this.#line, `“${excerpt(`BRDA:${value}`)}” is no line number, block, branch and count`)
    const key = `${this.#number(line, 'BRDA')},${block},${branch}`
    // A hyphen: the line of the branch was never executed.
    if (file !== undefined) this.#table.addBranch(file, key, { covered: Number(taken) > 0 ? 1 : 0, total: 1 })
  }

  #number(text: string, name: string): number {
    const value = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN
    if (value <= lineNumberMax) return value
    throw invalidLine(this.#line, `“${excerpt(`${name}:${text}`)}” has no whole number up to ${lineNumberMax}`)
  }

  #requireOpen(name: string): OpenRecord {
    if (this.#open !== undefined) return this.#open
    throw invalidLine(this.#line, `${name} is outside of a record: an SF line is missing before it`)
  }
}
