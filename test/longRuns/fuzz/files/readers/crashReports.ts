/** The formats of crash reports. All are read by `checkCrashReport`, which detects the format. */
import * as zlib from 'node:zlib'
import {
  type CheckedCrashReport,
  checkCrashReport,
  type SentCrashReport,
} from '../../../../../gateway/operations/apps/crashFormats/checkCrashReport.ts'
import { CrashReportReader } from '../../../../../gateway/operations/apps/crashFormats/crashReportReader.ts'
import { crashReportEncodings } from '../../../../../spec/apps/crashReportRoutes.ts'
import { Failure } from '../../../../../spec/core/failure.ts'
import {
  crashText,
  diagnostic,
  incident,
  ips,
  ipsBody,
  ipsHead,
  shop,
  system,
} from '../../../../kit/program/objects/crashFiles.ts'
import type { Random } from '../../../soak/random.ts'
import type { FuzzedReader, ReadFile } from '../fuzzedReader.ts'
import { mutateBytes } from '../mutate/bytes.ts'
import { mutateJson } from '../mutate/json.ts'
import { encodeText, mutateText } from '../mutate/text.ts'
import { crashFaults, refusalFault } from './crashFaults.ts'

type Encoding = SentCrashReport['encoding']

const sent = (bytes: Uint8Array, encoding: Encoding = 'identity'): SentCrashReport => ({
  bytes,
  encoding,
  mostBytes: 8 * 1024 ** 2,
  receivedAt: Date.UTC(2026, 0, 5),
})

/** One for all formats, as in the product. */
let productReader: CrashReportReader | undefined

async function read(report: SentCrashReport): Promise<ReadFile> {
  const checked = await check(report)
  const { threads, images } = JSON.parse(Buffer.from(checked.content.json).toString()) as {
    threads: unknown[]
    images: unknown[]
  }
  const { frames } = checked.content
  const sizes = [threads.length, images.length, frames.total, frames.named].map((one) => Math.ceil(Math.log2(one + 1)))
  const form = `${sizes.join()} ${checked.statedAt === null} ${checked.report.exceptionReason === undefined}`
  return { value: checked, form, faults: crashFaults(checked, report) }
}

const common = {
  isDeclared: (error: unknown): boolean =>
    error instanceof Failure && (error.code === 'BAD_USER_INPUT' || error.code === 'PAYLOAD_TOO_LARGE'),
  close: () => {
    productReader?.close()
    productReader = undefined
  },
}

async function check(report: SentCrashReport): Promise<CheckedCrashReport> {
  try {
    return await checkCrashReport(report)
  } catch (error) {
    const fault = refusalFault(error, report)
    throw fault === undefined ? error : new Error(fault)
  }
}

interface CrashFormat {
  readonly name: string
  /** Modules beside those that all formats use. */
  readonly sources: readonly string[]
  makeSeeds(): readonly string[]
  mutate(text: string, random: Random, other: string): string
}

const ofFormat = ({ name, sources, makeSeeds, mutate }: CrashFormat): FuzzedReader => ({
  name,
  sources: [
    ...sources,
    '/crashFormats/checkCrashReport.ts',
    '/crashFormats/crashContents.ts',
    '/crashFormats/readCrashReport.ts',
    '/apps/crashContent.ts',
    '/apps/groups/crashPlace.ts',
  ],
  makeSeeds: async () => makeSeeds().map((text) => Buffer.from(text)),
  mutate: (file, random, other) => encodeText(mutate(file.toString(), random, other.toString()), random),
  read: async (file) => await read(sent(file)),
  ...common,
  readInProduct: async (file) => await product().read(sent(file)),
})

function product(): CrashReportReader {
  productReader ??= new CrashReportReader({ atOnce: 1 })
  return productReader
}

/** The first line and the rest are values of JSON. */
function mutateIps(text: string, random: Random, other: string): string {
  const end = text.indexOf('\n')
  if (end < 0 || random.chance(0.1)) return mutateText(text, random, other)
  const [head, body] = [text.slice(0, end), text.slice(end + 1)]
  const otherBody = other.slice(other.indexOf('\n') + 1)
  return random.chance(0.25)
    ? `${mutateJson(head, random, otherBody)}\n${body}`
    : `${head}\n${mutateJson(body, random, otherBody)}`
}

const oldIps = (): string =>
  `${JSON.stringify({ ...ipsHead, bug_type: '109' })}\n${crashText('241 (2.4.1)', '104', 'iPhone OS 14.5 (18E199)')}`

const texts = (): readonly string[] => [
  crashText('241 (2.4.1)', '104', 'iPhone OS 18.5 (22F76)'),
  crashText('2.4.1 (241)', '12', 'macOS 15.5 (24F74)')
    .replace('Thread 1 Crashed:', 'Thread 1 Crashed:: Dispatch queue: worker')
    .replace('Big Shop arm64  <', '+org.example.shop (2.4.1 - 241) <'),
  crashText('241', '104', 'iPhone OS 14.5', '٢٠٢٦-٠١-٠٥ ٠٩:٣٠:٠٠٫١٢٣٤ +٠٣٠٠').replaceAll('\n', '\r\n'),
]

const metricKits = (): readonly string[] => [
  JSON.stringify(diagnostic),
  // Newer systems write these numbers as texts.
  JSON.stringify({
    ...diagnostic,
    diagnosticMetaData: { ...diagnostic.diagnosticMetaData, exceptionType: '10', signal: '6' },
  }),
  JSON.stringify({ timeStampEnd: '2026-01-05 09:30:00 +0100', crashDiagnostics: [diagnostic] }),
]

const ownReports = (): readonly string[] => [
  JSON.stringify({
    ...{ reportId: incident, bundleIdentifier: 'org.example.shop', version: '2.4.1', build: '241', osName: 'iOS' },
    ...{ osVersion: '18.5', deviceModel: null, happenedAt: '2026-01-05T08:30:00Z', exceptionType: 'EXC_CRASH' },
    exceptionReason: 'an error\nof two lines',
    threads: [
      {
        name: 'main',
        crashed: true,
        frames: [
          { address: '0x104899000', imageUuid: shop, symbol: 'Cart.add(_:)', file: 'Cart.swift', line: 31 },
          { address: '0x1a13b9600', imageUuid: system.toLowerCase() },
          { address: '0x63', imageUuid: null, line: null },
        ],
      },
      { frames: [] },
    ],
    images: [
      { uuid: shop, name: 'Shop', arch: 'arm64', loadAddress: '0x104894000' },
      { uuid: system, name: 'CoreFoundation', arch: 'arm64e' },
    ],
  }),
]

const ipsFormat: CrashFormat = {
  name: 'ips',
  sources: ['/crashFormats/readIps.ts', '/crashFormats/crashTime.ts'],
  makeSeeds: () => [
    ips(),
    ips(ipsHead, {
      ...ipsBody,
      exceptionReason: { composed_message: 'index 9 beyond bounds' },
      termination: { details: ['a', 'b'] },
    }),
    ips(
      { ...ipsHead, bug_type: 309 },
      { ...ipsBody, asi: null, faultingThread: null, threads: [{ name: 'main', frames: null }] },
    ),
  ],
  mutate: mutateIps,
}

const crashFormat: CrashFormat = {
  name: 'crash',
  sources: ['/crashFormats/readCrashText.ts', '/crashFormats/crashTime.ts'],
  makeSeeds: () => [...texts(), oldIps()],
  mutate: mutateText,
}

const metricKitFormat: CrashFormat = {
  name: 'metrickit',
  sources: ['/crashFormats/readMetricKit.ts', '/crashFormats/crashTime.ts'],
  makeSeeds: metricKits,
  mutate: mutateJson,
}

const ownFormat: CrashFormat = {
  name: 'json',
  sources: ['/core/parseInput.ts'],
  makeSeeds: ownReports,
  mutate: mutateJson,
}

const compressors = {
  identity: (bytes: Buffer) => bytes,
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: (bytes: Buffer) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: zlib.zstdCompressSync,
} as const satisfies Readonly<Record<Encoding, (bytes: Buffer) => Buffer>>

const packed = (encoding: Encoding, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([crashReportEncodings.indexOf(encoding)]), compressors[encoding](bytes)])

const compressedReport = (file: Buffer): SentCrashReport =>
  sent(file.subarray(1), crashReportEncodings[(file[0] ?? 0) % crashReportEncodings.length] ?? 'identity')

/** Compressed bodies. The first byte of a file is the number of its encoding, so that the file alone reproduces a fault. */
const compressed: FuzzedReader = {
  name: 'compressed',
  sources: ['/crashFormats/checkCrashReport.ts', '/crashFormats/readCrashReport.ts'],
  makeSeeds: async () => {
    const reports = [...metricKits(), ips(), ...texts().slice(0, 1)]
    return crashReportEncodings.flatMap((encoding) => reports.map((text) => packed(encoding, Buffer.from(text))))
  },
  mutate: (file, random, other) => {
    if (random.chance(0.6)) return mutateBytes(file, random, other)
    const encoding = random.pick(crashReportEncodings)
    // More bytes than a report may have, in a small body.
    if (random.chance(0.1))
      return packed(encoding, Buffer.alloc(random.pick([8, 9, 32]) * 1024 ** 2, random.pick([0, 0x20, 0x5b, 0x0a])))
    return packed(encoding, Buffer.from(mutateText(ips(), random, random.pick(texts()))))
  },
  read: async (file) => await read(compressedReport(file)),
  ...common,
  readInProduct: async (file) => await product().read(compressedReport(file)),
}

export const crashReports: readonly FuzzedReader[] = [
  ...[ipsFormat, crashFormat, metricKitFormat, ownFormat].map(ofFormat),
  compressed,
]
