/**
 * Crash reports as text (`.crash`), of systems before iOS 15 and macOS 12, and as Xcode and Console show newer ones. Every step takes time in
 * proportion to the text, since a report comes from anyone.
 * Source: Apple, "Examining the fields in a crash report".
 */
import { wrongField } from '../../core/wrongField.ts'
import {
  type CrashContents,
  type CrashFrame,
  type CrashImage,
  type CrashThread,
  cleanSymbol,
  cleanText,
  cleanUuid,
  lastException,
  readArchitecture,
  unknown,
  usedImages,
} from './crashContents.ts'
import { readCrashTime } from './crashTime.ts'
import type { Incident } from './readIps.ts'

/** Crash reports have no longer lines. The rest of a longer line is not read. */
const longestLine = 4_000
/** The first version of the reports of iOS. Those of macOS have one or two digits. */
const firstPhoneReport = 100

interface LoadedImage extends CrashImage {
  readonly from: bigint
  /** The last address. */
  readonly to: bigint
}

interface Lines {
  /** The fields before the first thread, by their names in lower case. The first one of a name counts. */
  readonly fields: ReadonlyMap<string, string>
  readonly threads: readonly ThreadLines[]
  readonly images: readonly string[]
  readonly information: readonly string[]
}

interface ThreadLines {
  readonly number: number | undefined
  readonly name: string | undefined
  readonly crashed: boolean
  readonly frames: string[]
}

/** Whether the text has the first lines of such a report. */
export function isCrashText(text: string): boolean {
  return /^(?:Incident Identifier|Process|Hardware Model|Exception Type): /m.test(text.slice(0, 4_000))
}

/**
 * @param incident the line of JSON before the text, in files of iOS before 15
 * @throws Failure BAD_USER_INPUT
 */
export function readCrashText(text: string, incident: Incident, nowYear: number): CrashContents {
  const { fields, threads: threadLines, images: imageLines, information } = sortLines(text)
  if (threadLines.length === 0) {
    throw wrongField('body', 'has no thread: a crash report has lines such as "Thread 0 Crashed:" with its calls below')
  }
  const field = (name: string): string | undefined => fields.get(name)
  const arch = readArchitecture(field('code type') ?? '')
  const images = imageLines.flatMap((line) => readImage(line, arch) ?? []).sort((a, b) => (a.from < b.from ? -1 : 1))
  const triggeredBy = Number.parseInt(field('triggered by thread') ?? field('crashed thread') ?? '', 10)
  const threads: CrashThread[] = threadLines.map(({ number, name, crashed, frames }) => ({
    name: cleanText(name, 'threadName'),
    crashed: crashed || (number !== undefined && number === triggeredBy),
    frames: frames.flatMap((line) => readFrameLine(line, images)),
  }))
  const [version, build] = readVersion(
    field('version')?.replaceAll('???', ''),
    Number.parseInt(field('report version') ?? '', 10),
  )
  const os = /^(.*?)\s+([\d.]+(?:\s*\([^)]*\))?)$/.exec(
    (field('os version') ?? incident.os_version ?? '').slice(0, 200),
  )
  return {
    reportId: cleanUuid(field('incident identifier') ?? incident.incident_id) ?? null,
    happenedAt: readCrashTime(field('date/time') ?? incident.timestamp ?? '', nowYear),
    bundleIdentifier: field('identifier') ?? incident.bundleID ?? '',
    version: cleanText(version ?? incident.app_version, 'short') ?? unknown,
    build: cleanText(build ?? incident.build_version ?? version, 'short') ?? unknown,
    osName: cleanText(os?.[1] ?? field('os version'), 'short') ?? unknown,
    osVersion: cleanText(os?.[2], 'short') ?? unknown,
    deviceModel: cleanText(field('hardware model') ?? field('model')?.split(',', 2).join(','), 'short'),
    exceptionType: cleanText(field('exception type'), 'short') ?? unknown,
    exceptionReason: cleanText(
      information.length > 0
        ? information.join('\n')
        : (field('exception message') ?? field('exception subtype') ?? field('termination reason')),
      'reason',
    ),
    threads,
    images: usedImages(
      threads,
      images.map(({ from: _from, to: _to, ...image }) => image),
    ),
  }
}

function sortLines(text: string): Lines {
  const fields = new Map<string, string>()
  const threads: ThreadLines[] = []
  const images: string[] = []
  const information: string[] = []
  const names = new Map<number, string>()
  let section: 'fields' | 'information' | 'thread' | 'state' | 'images' = 'fields'
  for (const whole of linesOf(text)) {
    const line = whole.slice(0, longestLine).trimEnd()
    const heading = readHeading(line)
    if (heading !== undefined) {
      if ('named' in heading) {
        // "Thread 3 name: …" is before "Thread 3:".
        names.set(heading.number, heading.named)
        continue
      }
      section = heading.section
      if (heading.section === 'thread')
        threads.push({
          number: heading.number,
          name: heading.name || (heading.number === undefined ? lastException : names.get(heading.number)),
          crashed: heading.crashed,
          frames: [],
        })
      continue
    }
    if (line === '') {
      // The information and the calls of a thread end with an empty line. The images may begin with one.
      if (section === 'information' || section === 'thread') section = threads.length === 0 ? 'fields' : 'state'
      continue
    }
    if (section === 'thread') threads.at(-1)?.frames.push(line)
    else if (section === 'images') images.push(line)
    else if (section === 'information') {
      if (!isNoise(line)) information.push(line)
    } else if (section === 'fields') {
      const colon = line.indexOf(':')
      const name = line.slice(0, colon).trim().toLowerCase()
      if (colon > 0 && colon < 40 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
    }
  }
  return { fields, threads, images, information }
}

/** Lines of the information that every report of their kind has. */
const isNoise = (line: string): boolean => line.endsWith('abort() called') || /^dyld\d? mode$/.test(line)

/** The lines of a text, with any of the three ends. */
function* linesOf(text: string): Generator<string> {
  let start = 0
  while (start <= text.length) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed
    yield text.slice(start, text[end - 1] === '\r' ? end - 1 : end)
    start = end + 1
  }
}

type Heading =
  | { readonly section: 'information' | 'images' | 'state' }
  | {
      readonly section: 'thread'
      readonly number: number | undefined
      readonly name: string
      readonly crashed: boolean
    }
  | { readonly number: number; readonly named: string }

function readHeading(line: string): Heading | undefined {
  if (/^(?:Binary Images|Binary images):?/.test(line)) return { section: 'images' }
  if (/^Application Specific Information:/.test(line)) return { section: 'information' }
  if (/^Last Exception Backtrace:/.test(line)) return { section: 'thread', number: undefined, name: '', crashed: false }
  const thread = /^Thread (\d{1,6})(.*)$/.exec(line)
  if (thread === null) return undefined
  const number = Number(thread[1])
  const rest = thread[2] ?? ''
  const named = /^ name:(.*)$/.exec(rest)
  if (named !== null) return { number, named: readThreadName(named[1] ?? '') }
  if (/^ (?:crashed with|State)/.test(rest)) return { section: 'state' }
  const begun = /^( Crashed)?::?(.*)$/.exec(rest)
  if (begun === null) return undefined
  return { section: 'thread', number, name: readThreadName(begun[2] ?? ''), crashed: begun[1] !== undefined }
}

const readThreadName = (text: string): string =>
  text
    .trim()
    .replace(/^:?\s*Dispatch queue:/, '')
    .trim()

/** "1.2 (34)". On iOS the build is first, and its version in parentheses. */
function readVersion(
  text: string | undefined,
  reportVersion: number,
): readonly [string | undefined, string | undefined] {
  const two = /^(.*?)\s*\(([^()]*)\)$/.exec((text ?? '').slice(0, 200))
  if (two === null) return [text, undefined]
  return reportVersion >= firstPhoneReport ? [two[2], two[1]] : [two[1], two[2]]
}

/** A call: its number, the name of its image, its address, and a name or the place in the image. An old backtrace has only addresses. */
function readFrameLine(line: string, images: readonly LoadedImage[]): CrashFrame[] {
  if (line.startsWith('('))
    return (line.match(/0x[0-9a-fA-F]{1,16}/g) ?? []).map((address) => withImage({ address: plain(address) }, images))
  const found = /^\d{1,6}\s/.exec(line)
  if (found === null) return []
  const at = addressIn(line, found[0].length)
  if (at === undefined) return []
  const rest = line.slice(at.end).trim()
  // "0x104d20000 + 4096" is a place in an image, and no name.
  const name = /^(?:0x[0-9a-fA-F]+|\d+) \+ /.test(rest) ? '' : rest
  const source = readSource(name)
  const symbol = cleanSymbol((source?.before ?? name).replace(/ \+ (?:0x[0-9a-fA-F]+|\d+)$/, ''))
  const frame = {
    address: plain(at.address),
    ...(symbol === undefined ? {} : { symbol }),
    ...(source === undefined ? {} : { file: cleanText(source.file, 'file'), line: source.line }),
  }
  return [withImage(frame, images)]
}

/** The place in the source at the end of a call: `Cart.add(_:) + 84 (Cart.swift:31)`. */
function readSource(name: string) {
  const open = name.lastIndexOf(' (')
  const colon = name.lastIndexOf(':')
  const line = /^\d{1,9}(?=\)$)/.exec(name.slice(colon + 1))?.[0]
  if (open === -1 || colon < open || line === undefined) return undefined
  return { before: name.slice(0, open), file: name.slice(open + 2, colon), line: Number(line) }
}

/** The first word that is an address. The name of the image before it may have spaces. */
function addressIn(line: string, from: number): { readonly address: string; readonly end: number } | undefined {
  for (let at = line.indexOf('0x', from); at !== -1; at = line.indexOf('0x', at + 2)) {
    if (!/\s/.test(line[at - 1] ?? '')) continue
    const address = /^0x[0-9a-fA-F]{1,16}(?=\s|$)/.exec(line.slice(at, at + 20))?.[0]
    if (address !== undefined) return { address, end: at + address.length }
  }
  return undefined
}

const plain = (address: string): string => `0x${BigInt(address).toString(16)}`

/** Adds the image that was loaded at the address: the last one that begins before it. `images` is in the order of addresses. */
function withImage(frame: CrashFrame, images: readonly LoadedImage[]): CrashFrame {
  const address = BigInt(frame.address)
  let low = 0
  let high = images.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((images[middle] as LoadedImage).from <= address) low = middle + 1
    else high = middle
  }
  const image = images[low - 1]
  return image !== undefined && address <= image.to ? { ...frame, imageUuid: image.uuid } : frame
}

/**
 * On iOS `0x104d20000 - 0x104d2bfff Shop arm64  <11112222…> /path/Shop`, on macOS
 * `0x104d20000 - 0x104d2bfff +org.example.shop (1.2 - 34) <11112222-…> /path/Shop`.
 */
function readImage(line: string, arch: string): LoadedImage | undefined {
  const range = /^\s*(0x[0-9a-fA-F]{1,16})\s+-\s+(0x[0-9a-fA-F]{1,16}|\?\?\?)\s/.exec(line)
  if (range === null) return undefined
  const rest = line.slice(range[0].length)
  const open = rest.lastIndexOf('<')
  const close = rest.indexOf('>', open)
  const uuid = open === -1 || close === -1 ? undefined : cleanUuid(rest.slice(open + 1, close))
  if (uuid === undefined) return undefined
  const before = rest.slice(0, open).trim()
  const path = rest.slice(close + 1).trim()
  // A longer word is no architecture, and would make the whole report one that is not accepted.
  const own = /\s(arm\w{0,17}|x86_64h?|i386)$/.exec(before)
  const from = BigInt(range[1] ?? '0x0')
  return {
    uuid,
    name: cleanText(path.slice(path.lastIndexOf('/') + 1) || before.replace(/^\+/, ''), 'imageName') ?? unknown,
    arch: own?.[1] ?? arch,
    loadAddress: plain(range[1] ?? '0x0'),
    path: cleanText(path, 'path'),
    from,
    to: range[2] === '???' ? from : BigInt(range[2] ?? '0x0'),
  }
}
