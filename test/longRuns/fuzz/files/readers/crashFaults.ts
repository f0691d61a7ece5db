/** The properties of a crash report that was accepted. */
import * as v from 'valibot'
import type {
  CheckedCrashReport,
  SentCrashReport,
} from '../../../../../gateway/operations/apps/crashFormats/checkCrashReport.ts'
import { readCrashReport } from '../../../../../gateway/operations/apps/crashFormats/readCrashReport.ts'
import { recordCrashReport } from '../../../../../spec/apps/crashReports.ts'
import { Failure } from '../../../../../spec/core/failure.ts'
import { textFaults, textsIn } from './textFaults.ts'

interface StoredContent {
  readonly threads: readonly {
    readonly frames: readonly {
      readonly imageUuid?: string | null
      readonly symbol?: string | null
      readonly line?: number | null
    }[]
  }[]
  readonly images: readonly { readonly uuid: string }[]
}

const firstPhone = Date.UTC(2006, 11, 30)

export function crashFaults({ report, statedAt, content }: CheckedCrashReport, sent: SentCrashReport): string[] {
  const stored = JSON.parse(Buffer.from(content.json).toString()) as StoredContent
  const faults = [...schemaFaults(report, stored), ...frameFaults(stored, content)]
  if (content.json.length > sent.mostBytes) faults.push('more bytes than a report may have')
  const text = sent.encoding === 'identity' ? Buffer.from(sent.bytes).toString() : undefined
  if (text === undefined) return faults
  if (!isOwnFormat(text)) {
    // A script that sends the product's own format chooses its texts: its schema allows more characters.
    faults.push(...textFaults({ ...report, happenedAt: null }), ...textFaults(stored))
    if (statedAt !== null && !(statedAt >= firstPhone && statedAt <= sent.receivedAt + 2 * 366 * 86_400_000))
      faults.push('a time before the first phone, or in the future')
  }
  return [...faults, ...wordFaults({ report, stored }, text)]
}

/**
 * A reader of Apple's formats cleans and cuts off what `recordCrashReport` does not accept. Otherwise a report is lost because of one text in it.
 *
 * @returns undefined if the reader itself has refused the report
 */
export function refusalFault(error: unknown, { bytes, encoding, receivedAt }: SentCrashReport): string | undefined {
  if (!(error instanceof Failure) || encoding !== 'identity') return undefined
  const text = Buffer.from(bytes).toString()
  const field = String(error.details?.field).replace(/\d+/g, '#')
  if (isOwnFormat(text) || refusable.has(field)) return undefined
  try {
    readCrashReport(text, new Date(receivedAt).getUTCFullYear())
  } catch {
    return undefined
  }
  return `recordCrashReport refuses ${field}, which the reader accepts: ${error.message}`
}

/** Values that no reader can correct: a report needs its bundle identifier, and the lengths of the lists are documented. */
const refusable: ReadonlySet<string> = new Set(['body', 'bundleIdentifier', 'threads', 'threads.#.frames'])

function schemaFaults(report: CheckedCrashReport['report'], stored: StoredContent): string[] {
  const input = { ...report, happenedAt: new Date(report.happenedAt).toISOString(), ...stored }
  const { success, issues } = v.safeParse(recordCrashReport.input, input)
  if (success) return []
  return issues.map(
    (issue) => `recordCrashReport refuses ${v.getDotPath(issue)?.replace(/\d+/g, '#')}: ${issue.message}`,
  )
}

function frameFaults({ threads, images }: StoredContent, { frames, wanted }: CheckedCrashReport['content']): string[] {
  const faults: string[] = []
  const all = threads.flatMap((thread) => thread.frames)
  const known = new Set(images.map(({ uuid }) => uuid))
  if (known.size !== images.length) faults.push('an image occurs twice')
  if (all.some(({ imageUuid }) => imageUuid && !known.has(imageUuid))) faults.push('a frame of an unknown image')
  // GraphQL has no larger Int, so a query of the report would fail. The schema of the operation could lack this bound.
  if (all.some(({ line }) => typeof line === 'number' && line > 2 ** 31 - 1)) faults.push('a line beyond 32 bits')
  const named = all.filter(({ symbol }) => symbol).length
  if (frames.total !== all.length || frames.named !== named || frames.named + frames.unnamed > frames.total)
    faults.push('wrong counts of frames')
  if (wanted.some(({ uuid }) => !known.has(uuid)) || new Set(wanted.map(({ uuid }) => uuid)).size !== wanted.length)
    faults.push('a wanted image that the report does not have')
  return faults
}

/** Texts that only JavaScript writes: a value was taken for another one. */
const ofJavaScript = /\[native code\]|\[object |\bundefined\b|\bNaN\b/

function wordFaults(value: unknown, text: string): string[] {
  for (const [path, own] of textsIn(value)) {
    const word = ofJavaScript.exec(own)?.[0]
    if (word !== undefined && !text.includes(word))
      return [`${path} has the text ${word}, which the report does not have`]
  }
  return []
}

/** Whether it is the input of `recordCrashReport` as JSON. */
function isOwnFormat(text: string): boolean {
  try {
    // Spaces and marks of the byte order may come before it.
    const value: unknown = JSON.parse(text.trimStart())
    return typeof value === 'object' && value !== null && !('crashDiagnostics' in value) && !('callStackTree' in value)
  } catch {
    return false
  }
}
