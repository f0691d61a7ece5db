/** The contents of a crash report, as the readers of all formats return them. */
import * as v from 'valibot'
import type { contentInput } from '../../../../spec/apps/crashContent.ts'
import type { recordCrashReport } from '../../../../spec/apps/crashReports.ts'
import type { InputOf } from '../../../../spec/core/operation.ts'
import { unprintable } from '../../core/printable.ts'

type ReportInput = InputOf<typeof recordCrashReport>
export type CrashThread = v.InferInput<typeof contentInput.threads>[number]
export type CrashFrame = CrashThread['frames'][number]
export type CrashImage = v.InferInput<typeof contentInput.images>[number]

/** The input of `recordCrashReport`, without what a format may not have. */
export type CrashContents = Omit<ReportInput, 'reportId' | 'happenedAt'> & {
  /** Null if the format has none, or this one has none. */
  readonly reportId: string | null
  /** RFC 3339. Null if the format has none, or it cannot be read. */
  readonly happenedAt: string | null
}

/** A text that a report may lack. */
export const text = v.nullish(v.string())
/** An address, an offset or an index. */
export const whole = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Stands for a value that a report lacks. */
export const unknown = 'unknown'
/** The name of the thread that has the stack of an exception that no code caught. */
export const lastException = 'Last exception backtrace'

/** The lengths of the texts that `recordCrashReport` accepts. */
const longest = {
  symbol: 1_000,
  file: 1_000,
  threadName: 255,
  imageName: 255,
  path: 1_000,
  reason: 2_000,
  short: 100,
} as const

/** A name in a report may be hostile. The text in one line of at most that length. Undefined if nothing is left of it. */
export function cleanText(value: string | null | undefined, kind: keyof typeof longest): string | undefined {
  if (value === undefined || value === null) return undefined
  const most = longest[kind]
  // Only as much as is kept is cleaned: a text may have megabytes.
  const cleaned = value
    .slice(0, 4 * most)
    .toWellFormed()
    .replaceAll(unprintable, ' ')
    .trim()
  if (cleaned === '') return undefined
  return cleaned.length <= most ? cleaned : `${cleaned.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Names that Apple writes for an address without a symbol. They are those of the whole image, and not of a function. */
const noSymbols: ReadonlySet<string> = new Set([
  '_mh_execute_header',
  '__mh_execute_header',
  '<redacted>',
  '???',
  '0x0',
])

/** The name of a function. Undefined if the text is not one. */
export function cleanSymbol(value: string | null | undefined): string | undefined {
  const symbol = cleanText(value, 'symbol')
  return symbol === undefined || noSymbols.has(symbol) ? undefined : symbol
}

/** A UUID in upper case, with hyphens. Undefined if the text is not a UUID, or has only zeros: reports give that one to unknown images. */
export function cleanUuid(value: string | null | undefined): string | undefined {
  const digits = (value ?? '').replaceAll('-', '').toUpperCase()
  if (!/^[0-9A-F]{32}$/.test(digits) || /^0+$/.test(digits)) return undefined
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The name of an architecture as Apple's tools write it. Reports name that of the process by another name. */
export function readArchitecture(name: string): string {
  const first = /^[A-Za-z0-9_-]{1,20}/.exec(name.trim())?.[0] ?? unknown
  const known: Readonly<Record<string, string>> = { 'ARM-64': 'arm64', 'X86-64': 'x86_64', X86: 'i386', ARM: 'armv7' }
  return known[first.toUpperCase()] ?? first.replaceAll('-', '_')
}

const mostAddress = 0xffff_ffff_ffff_ffffn

/** The sum of whole numbers as a hexadecimal address. JSON has lost digits of numbers from 2^53 on, and no image is loaded there. */
export function addressOf(...parts: readonly number[]): string {
  const sum = parts.reduce((total, part) => total + BigInt(part), 0n)
  return `0x${(sum < 0n ? 0n : sum > mostAddress ? mostAddress : sum).toString(16)}`
}

/** The images that frames name, each once. A report lists hundreds that no frame is in. */
export function usedImages(threads: readonly CrashThread[], images: Iterable<CrashImage>): CrashImage[] {
  const used = new Set(threads.flatMap(({ frames }) => frames.map(({ imageUuid }) => imageUuid)))
  const byUuid = new Map<string, CrashImage>()
  for (const image of images) if (used.has(image.uuid) && !byUuid.has(image.uuid)) byUuid.set(image.uuid, image)
  return [...byUuid.values()]
}
