/**
 * Crash reports of iOS 15 and macOS 12 and newer (`.ips`, `bug_type` 309): a line of JSON about the incident, then the report as JSON.
 * Source: Apple, "Interpreting the JSON format of a crash report".
 */
import * as v from 'valibot'
import { lastLine } from '../../../../spec/apps/crashContent.ts'
import { parseInput } from '../../core/parseInput.ts'
import {
  addressOf,
  type CrashContents,
  type CrashFrame,
  type CrashImage,
  type CrashThread,
  cleanSymbol,
  cleanText,
  cleanUuid,
  lastException,
  readArchitecture,
  text,
  unknown,
  usedImages,
  whole,
} from './crashContents.ts'
import { readCrashTime } from './crashTime.ts'

/** The first line. */
const Incident = v.object({
  bug_type: v.nullish(v.union([v.string(), v.number()])),
  incident_id: text,
  timestamp: text,
  app_version: text,
  build_version: text,
  bundleID: text,
  os_version: text,
})
export type Incident = v.InferOutput<typeof Incident>

const Frame = v.object({
  imageOffset: whole,
  imageIndex: v.nullish(whole),
  symbol: text,
  sourceFile: text,
  sourceLine: v.nullish(whole),
})
const Frames = v.array(Frame)
const Thread = v.object({
  name: text,
  queue: text,
  triggered: v.nullish(v.boolean()),
  frames: v.nullish(Frames),
})
const Image = v.object({ base: v.nullish(whole), uuid: text, arch: text, name: text, path: text })
const Report = v.object({
  incident: text,
  captureTime: text,
  modelCode: text,
  cpuType: text,
  osVersion: v.nullish(v.object({ train: text, build: text })),
  bundleInfo: v.nullish(
    v.object({ CFBundleIdentifier: text, CFBundleVersion: text, CFBundleShortVersionString: text }),
  ),
  exception: v.nullish(v.object({ type: text, signal: text, subtype: text, message: text })),
  termination: v.nullish(v.object({ indicator: text, details: v.nullish(v.array(v.string())) })),
  /** Messages of the libraries of the process, by the name of the library. */
  asi: v.nullish(v.record(v.string(), v.array(v.string()))),
  exceptionReason: v.nullish(v.object({ composed_message: text })),
  lastExceptionBacktrace: v.nullish(Frames),
  faultingThread: v.nullish(whole),
  threads: v.array(Thread),
  usedImages: v.array(Image),
})
type Report = v.InferOutput<typeof Report>

/** @throws Failure BAD_USER_INPUT */
export function readIncident(value: unknown): Incident {
  return parseInput(Incident, value) as Incident
}

/** @throws Failure BAD_USER_INPUT */
export function readIps(incident: Incident, value: unknown, nowYear: number): CrashContents {
  const report = parseInput(Report, value) as Report
  const { bundleInfo, osVersion, exception, faultingThread } = report
  const threads: CrashThread[] = report.threads.map(({ name, queue, triggered, frames }, index) => ({
    name: cleanText(name ?? queue, 'threadName'),
    crashed: triggered ?? index === faultingThread,
    frames: readFrames(frames ?? [], report),
  }))
  if (report.lastExceptionBacktrace)
    threads.unshift({ name: lastException, crashed: false, frames: readFrames(report.lastExceptionBacktrace, report) })
  const train = /^(.*?)\s+([\d.]+)$/.exec((osVersion?.train ?? '').slice(0, 200))
  const build = cleanText(osVersion?.build, 'short')
  return {
    reportId: cleanUuid(report.incident ?? incident.incident_id) ?? null,
    happenedAt: readCrashTime(report.captureTime ?? incident.timestamp ?? '', nowYear),
    bundleIdentifier: bundleInfo?.CFBundleIdentifier ?? incident.bundleID ?? '',
    version: cleanText(bundleInfo?.CFBundleShortVersionString ?? incident.app_version, 'short') ?? unknown,
    build: cleanText(bundleInfo?.CFBundleVersion ?? incident.build_version, 'short') ?? unknown,
    osName: cleanText(train?.[1] ?? osVersion?.train, 'short') ?? unknown,
    osVersion: cleanText([train?.[2], build && `(${build})`].filter(Boolean).join(' '), 'short') ?? unknown,
    deviceModel: cleanText(report.modelCode, 'short'),
    exceptionType:
      cleanText(
        [exception?.type ?? unknown, exception?.signal && `(${exception.signal})`].filter(Boolean).join(' '),
        'short',
      ) ?? unknown,
    exceptionReason: cleanText(reasonOf(report), 'reason'),
    threads,
    images: usedImages(
      threads,
      report.usedImages.flatMap((image) => readImage(image, report) ?? []),
    ),
  }
}

function readFrames(frames: v.InferOutput<typeof Frames>, { usedImages: images }: Report): CrashFrame[] {
  return frames.map(({ imageOffset, imageIndex, symbol, sourceFile, sourceLine }) => {
    const image = imageIndex === undefined || imageIndex === null ? undefined : images[imageIndex]
    const imageUuid = cleanUuid(image?.uuid)
    return {
      address: addressOf(image?.base ?? 0, imageOffset),
      ...(imageUuid === undefined ? {} : { imageUuid }),
      symbol: cleanSymbol(symbol),
      file: cleanText(sourceFile, 'file'),
      ...(typeof sourceLine === 'number' && sourceLine <= lastLine ? { line: sourceLine } : {}),
    }
  })
}

function readImage({ base, uuid, arch, name, path }: v.InferOutput<typeof Image>, report: Report) {
  const own = cleanUuid(uuid)
  if (own === undefined) return undefined
  const file = name ?? path?.slice(path.lastIndexOf('/') + 1)
  const image: CrashImage = {
    uuid: own,
    name: cleanText(file, 'imageName') ?? unknown,
    arch: readArchitecture(arch ?? report.cpuType ?? ''),
    loadAddress: addressOf(base ?? 0),
    path: cleanText(path, 'path'),
  }
  return image
}

function reasonOf({ exceptionReason, asi, termination, exception }: Report): string | undefined {
  const messages = Object.values(asi ?? {}).flat()
  // `abort` always leaves this message.
  const better = messages.filter((message) => message !== 'abort() called')
  return [
    exceptionReason?.composed_message,
    better.length > 0 ? better.join('\n') : undefined,
    termination?.details?.join('\n'),
    exception?.message,
    exception?.subtype,
    termination?.indicator,
  ].find((message) => message !== undefined && message !== null && message !== '') as string | undefined
}
