/** Finds and reads the coverage reports of a build. The steps of the build have written them, so their number and sizes are bounded. */
import { constants, createReadStream } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { matchesPattern } from '../../../../spec/builds/filePattern.ts'
import type { BuildSpec } from '../../jobs/spec.ts'
import { findFiles } from '../findFiles.ts'
import { CoberturaParser } from './cobertura.ts'
import { CoverageTable, type FileTotals } from './coverageTable.ts'
import { LcovParser } from './lcov.ts'
import { excerpt, ReportProblem } from './problem.ts'
import type { ReportParser } from './reportParser.ts'
import { SourcePaths } from './sourcePaths.ts'
import { XccovParser } from './xccov.ts'

export type CoverageReports = NonNullable<BuildSpec['coverageReports']>
type Format = CoverageReports[number]['format']

const reportsMax = 200
const mebibyte = 1024 * 1024
/** Bytes. */
const reportSizeMax = 64 * mebibyte
/** Bytes of all reports of a build. */
const sizeMax = 512 * mebibyte

const parsers: Readonly<Record<Format, new (table: CoverageTable, paths: SourcePaths) => ReportParser>> = {
  LCOV: LcovParser,
  COBERTURA: CoberturaParser,
  XCCOV: XccovParser,
}

export interface ReadingOptions {
  /** Called with each line for the log of the build. */
  note(line: string): void
  readonly signal: AbortSignal
}

/**
 * Returns the files of all reports.
 * @throws ReportProblem if one of the reports is missing, too large or invalid
 */
export async function readReports(
  checkout: string,
  reports: CoverageReports,
  options: ReadingOptions,
): Promise<readonly FileTotals[]> {
  const table = new CoverageTable()
  const roots = [...new Set([checkout, await realpath(checkout)])]
  let left = sizeMax
  const outside = { count: 0, example: '' }
  for (const { path, format } of await findReports(checkout, reports)) {
    const paths = new SourcePaths(roots, path)
    const size = await readReport(
      join(roots.at(-1) ?? checkout, path),
      new parsers[format](table, paths),
      options,
    ).catch((error) => {
      if (!(error instanceof ReportProblem)) throw error
      throw new ReportProblem(error.code, `${excerpt(path, 200)} (${format}): ${error.message}`)
    })
    left -= size
    if (left < 0) throw tooLarge(`the reports have more than ${sizeMax / mebibyte} MiB together`)
    options.note(`▶ Read coverage report ${path} (${format}, ${size} bytes)`)
    outside.count += paths.outsideCount
    outside.example ||= paths.outsideExample ?? ''
  }
  const files = table.totals()
  if (outside.count > 0) {
    const example = excerpt(outside.example, 200)
    if (files.length === 0)
      throw new ReportProblem(
        'COVERAGE_REPORT_INVALID',
        `no file of the reports is in the checkout. One is ${example}. Write paths below the checkout.`,
      )
    options.note(`Files that are not in the checkout are not counted: ${outside.count}, such as ${example}`)
  }
  return files
}

interface FoundReport {
  readonly path: string
  readonly format: Format
}

/** Each file once for each format that names it. */
async function findReports(checkout: string, reports: CoverageReports): Promise<readonly FoundReport[]> {
  const patterns = reports.map(({ pattern }) => pattern)
  const paths = await findFiles(checkout, patterns, reportsMax, () =>
    tooLarge(`more than ${reportsMax} files match the coverage reports. Use patterns that match fewer.`),
  )
  const found = new Map<string, FoundReport>()
  for (const { pattern, format } of reports) {
    const matching = paths.filter((path) => matchesPattern(pattern, path))
    if (matching.length === 0)
      throw new ReportProblem(
        'COVERAGE_REPORT_MISSING',
        `no file matches “${excerpt(pattern)}” (${format}). The steps must write it below the checkout.`,
      )
    for (const path of matching) found.set(`${format} ${path}`, { path, format })
  }
  return [...found.values()]
}

/** Returns the size in bytes. Between two parts the agent does its other work. */
async function readReport(path: string, parser: ReportParser, { signal }: ReadingOptions): Promise<number> {
  // A process that a step has left could replace a folder by a link.
  if ((await realpath(path)) !== path) throw new ReportProblem('COVERAGE_REPORT_MISSING', 'a link is in its path')
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    if (!(await file.stat()).isFile()) throw new ReportProblem('COVERAGE_REPORT_MISSING', 'it is no plain file')
    const decoder = new TextDecoder()
    let size = 0
    const stream = createReadStream('', { fd: file, autoClose: false, start: 0, highWaterMark: 256 * 1024 })
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      size += chunk.length
      if (size > reportSizeMax) throw tooLarge(`it has more than ${reportSizeMax / mebibyte} MiB`)
      parser.write(decoder.decode(chunk, { stream: true }))
    }
    parser.write(decoder.decode())
    parser.end()
    return size
  } finally {
    await file.close()
  }
}

function tooLarge(reason: string): ReportProblem {
  return new ReportProblem('COVERAGE_REPORT_TOO_LARGE', reason)
}
