/** A coverage report that cannot be read, and the reason. */

const excerptLength = 80

type ReportProblemCode = 'COVERAGE_REPORT_MISSING' | 'COVERAGE_REPORT_INVALID' | 'COVERAGE_REPORT_TOO_LARGE'

/** The message is a sentence that ends the message of the build. */
export class ReportProblem extends Error {
  override name = 'ReportProblem'
  readonly code: ReportProblemCode

  constructor(code: ReportProblemCode, message: string) {
    super(message)
    this.code = code
  }
}

/** A line of a report is wrong. The reader of the file adds its name. */
export function invalidLine(line: number, reason: string): ReportProblem {
  return new ReportProblem('COVERAGE_REPORT_INVALID', `line ${line}: ${reason}`)
}

/** A part of a report for a message: short, on one line, without control characters. */
export function excerpt(text: string, most = excerptLength): string {
  const plain = text.replace(/\p{Cc}+/gu, ' ').trim()
  return plain.length > most ? `${plain.slice(0, most).toWellFormed()}…` : plain
}
