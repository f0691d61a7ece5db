/** Converts a crash report as it was sent into one that can be stored. This runs in a thread, because a report can have 100 MiB. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, gzip, inflate, zstdDecompress } from 'node:zlib'
import type * as v from 'valibot'
import type { crashReportEncodings } from '../../../../spec/apps/crashReportRoutes.ts'
import { recordCrashReport } from '../../../../spec/apps/crashReports.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { parseInput } from '../../core/parseInput.ts'
import { wrongField } from '../../core/wrongField.ts'
import { type CheckedContent, checkContent } from '../crashContent.ts'
import type { RawCrashReport } from '../rawReports/rawCrashReports.ts'
import { cleanUuid } from './crashContents.ts'
import { readCrashReport } from './readCrashReport.ts'

export interface SentCrashReport {
  readonly bytes: Uint8Array
  readonly encoding: (typeof crashReportEncodings)[number]
  /** The maximum number of bytes after the decompression. */
  readonly mostBytes: number
  /** Milliseconds since 1970. */
  readonly receivedAt: number
}

type Input = v.InferOutput<typeof recordCrashReport.input>

export interface CheckedCrashReport {
  readonly report: Omit<Input, 'threads' | 'images'>
  /** The time that the report states. Null if it states none. */
  readonly statedAt: number | null
  readonly content: CheckedContent
  readonly raw: RawCrashReport
}

/** @throws Failure BAD_USER_INPUT, PAYLOAD_TOO_LARGE */
export async function checkCrashReport(sent: SentCrashReport): Promise<CheckedCrashReport> {
  const bytes = await decompress(sent)
  boundParts(bytes)
  const { format, contents } = readCrashReport(decode(bytes), new Date(sent.receivedAt).getUTCFullYear())
  const receivedAt = new Date(sent.receivedAt).toISOString()
  const { threads, images, ...report } = parseInput(recordCrashReport.input, {
    ...contents,
    reportId: contents.reportId ?? uuidOf(bytes),
    happenedAt: contents.happenedAt ?? receivedAt,
  }) as Input
  return {
    report,
    statedAt: contents.happenedAt === null ? null : report.happenedAt,
    content: await checkContent({ threads, images }, { crashReportExpandedBytes: sent.mostBytes }),
    // Level 1 is the fastest, and a report can have 100 MiB. The copy has a buffer of its own, so the thread posts only these bytes.
    raw: { format, size: bytes.length, compressed: new Uint8Array(await promisify(gzip)(bytes, { level: 1 })) },
  }
}

const decompressors = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
} as const

async function decompress({ bytes, encoding, mostBytes }: SentCrashReport): Promise<Uint8Array> {
  if (encoding === 'identity') return bytes
  try {
    return await decompressors[encoding](bytes, { maxOutputLength: mostBytes })
  } catch (error) {
    if (error instanceof RangeError)
      throw new Failure('PAYLOAD_TOO_LARGE', `The report has more than ${mostBytes} bytes when it is decompressed.`, {
        details: { field: 'body', limit: mostBytes },
      })
    throw wrongField('body', `is not valid ${encoding}, which its Content-Encoding names`)
  }
}

/**
 * The maximum number of JSON values and text lines. A report with 1,000 threads of 1,000 frames has fewer. `JSON.parse` cannot be interrupted,
 * and 100 MiB of empty objects would take gigabytes and minutes.
 */
const mostParts = 8_000_000

/** Is 1 for the bytes that begin a value or a line: comma, bracket, brace, line feed. Those in strings are counted too. */
const beginsPart = Uint8Array.from({ length: 256 }, (_, byte) => Number([0x2c, 0x5b, 0x7b, 0x0a].includes(byte)))

/** @throws Failure PAYLOAD_TOO_LARGE */
function boundParts(bytes: Uint8Array): void {
  let parts = 0
  for (const byte of bytes) parts += beginsPart[byte] ?? 0
  if (parts > mostParts)
    throw new Failure('PAYLOAD_TOO_LARGE', `The report has more than ${mostParts} values or lines.`, {
      details: { field: 'body', limit: mostParts },
    })
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw wrongField('body', 'is not UTF-8')
  }
}

/** Derives a UUID from the bytes. So a report without a UUID is stored once, also if it is sent twice. */
function uuidOf(bytes: Uint8Array): string {
  return cleanUuid(createHash('sha256').update(bytes).digest('hex').slice(0, 32)) ?? ''
}
