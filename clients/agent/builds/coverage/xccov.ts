/** Reads the output of `xcrun xccov view --report --json`. It has the sums of each file, without single lines. */
import { type CoverageTable, toCount } from './coverageTable.ts'
import { excerpt, invalidLine, ReportProblem } from './problem.ts'
import type { ReportParser } from './reportParser.ts'
import type { SourcePaths } from './sourcePaths.ts'

type Fields = Readonly<Record<string, unknown>>

export class XccovParser implements ReportParser {
  readonly #table: CoverageTable
  readonly #paths: SourcePaths
  #text = ''

  constructor(table: CoverageTable, paths: SourcePaths) {
    this.#table = table
    this.#paths = paths
  }

  write(text: string): void {
    this.#text += text
  }

  end(): void {
    const targets = listOf(readJson(this.#text), 'targets', 'the report')
    for (const [index, target] of targets.entries()) {
      const place = `targets[${index}]`
      for (const [at, file] of listOf(target, 'files', place).entries()) this.#addFile(file, `${place}.files[${at}]`)
    }
  }

  #addFile(value: unknown, place: string): void {
    const { path, coveredLines, executableLines } = Object(value) as Fields
    if (typeof path !== 'string' || path === '') throw invalid(`${place} has no “path”`)
    const lines = toCount(coveredLines, executableLines)
    if (lines === undefined)
      throw invalid(
        `${place} (${excerpt(path)}) has no whole numbers “coveredLines” and “executableLines”, the first at most the second`,
      )
    const found = this.#paths.find(path)
    if (found !== undefined) this.#table.addLineTotals(this.#table.file(found), lines)
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // V8 has the position of some errors, and the text around the others.
    const [, position] = /at position (\d+)/.exec(reason) ?? []
    const problem = `it is no JSON: ${excerpt(reason.replace(/ in JSON at position.*/, ''), 160)}`
    throw position === undefined ? invalid(problem) : invalidLine(lineAt(text, Number(position)), problem)
  }
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}

function listOf(value: unknown, field: string, place: string): readonly unknown[] {
  const list: unknown = (Object(value) as Fields)[field]
  if (Array.isArray(list)) return list
  throw invalid(`${place} has no list “${field}”: write it by “xcrun xccov view --report --json”`)
}

function invalid(reason: string): ReportProblem {
  return new ReportProblem('COVERAGE_REPORT_INVALID', reason)
}
