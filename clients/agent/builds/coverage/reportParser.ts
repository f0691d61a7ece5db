import type { CoverageTable } from './coverageTable.ts'
import type { SourcePaths } from './sourcePaths.ts'

/** Adds one report to a table. The text comes in parts, so that a large report does not block the agent. */
export interface ReportParser {
  /** @throws ReportProblem */
  write(text: string): void
  /** After the last part. @throws ReportProblem */
  end(): void
}

export type CreateParser = (table: CoverageTable, paths: SourcePaths) => ReportParser
