/** Reads a crash report of any format that is accepted: `.ips`, `.crash`, MetricKit, and the input of `recordCrashReport` as JSON. */
import type { recordCrashReport } from '../../../../spec/apps/crashReports.ts'
import type { CrashReportFormat } from '../../../../spec/apps/rawCrashReports.ts'
import type { InputOf } from '../../../../spec/core/operation.ts'
import { wrongField } from '../../core/wrongField.ts'
import type { CrashContents } from './crashContents.ts'
import { isCrashText, readCrashText } from './readCrashText.ts'
import { readIncident, readIps } from './readIps.ts'
import { isMetricKit, readMetricKit } from './readMetricKit.ts'

/** The values of `bug_type` of crashes: those of iOS before 15, and those since then. */
const crashTypes: ReadonlySet<string> = new Set(['109', '309'])

export interface ReadCrashReport {
  readonly format: CrashReportFormat
  /** `recordCrashReport` still has to check them. */
  readonly contents: CrashContents | InputOf<typeof recordCrashReport>
}

/**
 * @param nowYear the current year
 * @throws Failure BAD_USER_INPUT
 */
export function readCrashReport(text: string, nowYear: number): ReadCrashReport {
  const content = text.replace(/^\ufeff/, '').trimStart()
  if (!content.startsWith('{')) {
    if (!isCrashText(content)) throw wrongField('body', formats)
    return { format: 'CRASH', contents: readCrashText(content, {}, nowYear) }
  }
  const end = content.indexOf('\n')
  const line = end === -1 ? undefined : asObject(content.slice(0, end))
  if (line !== undefined && 'bug_type' in line)
    return { format: 'IPS', contents: readIpsFile(line, content.slice(end + 1).trimStart(), nowYear) }
  const value = asObject(content)
  if (value === undefined) throw wrongField('body', 'begins like JSON, but is not JSON: it may have been cut off')
  return isMetricKit(value)
    ? { format: 'METRIC_KIT', contents: readMetricKit(value, nowYear) }
    : { format: 'JSON', contents: value as InputOf<typeof recordCrashReport> }
}

function readIpsFile(line: object, rest: string, nowYear: number): CrashContents {
  const incident = readIncident(line)
  const type = String(incident.bug_type)
  if (!crashTypes.has(type))
    throw wrongField(
      'body',
      `has the bug_type ${type.slice(0, 20)}, but crashes have 109 or 309: it is another kind of report`,
    )
  if (!rest.startsWith('{')) return readCrashText(rest, incident, nowYear)
  const report = asObject(rest)
  if (report === undefined) throw wrongField('body', 'has no JSON after its first line: it may have been cut off')
  return readIps(incident, report, nowYear)
}

const formats =
  'must be a crash report: an .ips or .crash file of Apple, a crash diagnostic of MetricKit as JSON, or the input of recordCrashReport as JSON'

function asObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
