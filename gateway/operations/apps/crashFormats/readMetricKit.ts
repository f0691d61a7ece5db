/**
 * Reads crashes of MetricKit, as `MXDiagnosticPayload` and `MXCrashDiagnostic` write them (`jsonRepresentation`). Each thread is a tree of
 * calls. The root is the innermost call, and the callers are below it.
 * Source: Apple, "MXCallStackTree".
 */
import * as v from 'valibot'
import { parseInput } from '../../core/parseInput.ts'
import { wrongField } from '../../core/wrongField.ts'
import {
  addressOf,
  type CrashContents,
  type CrashFrame,
  type CrashImage,
  type CrashThread,
  cleanText,
  cleanUuid,
  readArchitecture,
  text,
  unknown,
  usedImages,
  whole,
} from './crashContents.ts'
import { readCrashTime } from './crashTime.ts'

/** Older systems write these codes as numbers. Newer ones write some of them as strings. */
const code = v.nullish(v.union([v.string(), v.number()]))

const Diagnostic = v.object({
  callStackTree: v.object({
    callStacks: v.array(
      v.object({ threadAttributed: v.nullish(v.boolean()), callStackRootFrames: v.array(v.unknown()) }),
    ),
  }),
  diagnosticMetaData: v.object({
    bundleIdentifier: text,
    appVersion: text,
    appBuildVersion: text,
    osVersion: text,
    deviceType: text,
    platformArchitecture: text,
    exceptionType: code,
    signal: code,
    terminationReason: text,
    virtualMemoryRegionInfo: text,
    objectiveCexceptionReason: v.nullish(v.object({ composedMessage: text })),
  }),
})
type Diagnostic = v.InferOutput<typeof Diagnostic>

const Payload = v.object({ timeStampEnd: text, crashDiagnostics: v.array(v.unknown()) })

/** A call, without the calls below it. */
const Call = v.object({
  binaryUUID: text,
  binaryName: text,
  offsetIntoBinaryTextSegment: v.nullish(whole),
  address: v.nullish(whole),
  subFrames: v.nullish(v.array(v.unknown())),
})

/** The maximum number of calls in a thread of a valid report. */
const mostCalls = 1_000

/** Whether the value has the form of a payload or of one of its crashes. */
export function isMetricKit(value: object): boolean {
  return 'crashDiagnostics' in value || 'callStackTree' in value
}

/** @throws Failure BAD_USER_INPUT */
export function readMetricKit(value: object, nowYear: number): CrashContents {
  if (!('crashDiagnostics' in value)) return readDiagnostic(value, null)
  const { crashDiagnostics, timeStampEnd } = parseInput(Payload, value) as v.InferOutput<typeof Payload>
  const [diagnostic, ...others] = crashDiagnostics
  if (diagnostic === undefined || others.length > 0) {
    const problem = `must have exactly one crash, and has ${crashDiagnostics.length}: send each one in a request of its own`
    throw wrongField('crashDiagnostics', problem)
  }
  return readDiagnostic(diagnostic, readCrashTime(timeStampEnd ?? '', nowYear))
}

function readDiagnostic(value: unknown, happenedAt: string | null): CrashContents {
  const { callStackTree, diagnosticMetaData: data } = parseInput(Diagnostic, value) as Diagnostic
  const images = new Map<string, CrashImage>()
  const arch = readArchitecture(data.platformArchitecture ?? '')
  const threads: CrashThread[] = callStackTree.callStacks.map(({ threadAttributed, callStackRootFrames }) => ({
    crashed: threadAttributed ?? false,
    frames: readCalls(callStackRootFrames, arch, images),
  }))
  const os = /^(.*?)\s+([\d.]+(?: \([^)]*\))?)$/.exec((data.osVersion ?? '').slice(0, 200))
  const signal =
    signals.get(String(data.signal)) ??
    (data.signal === undefined || data.signal === null ? '' : `signal ${data.signal}`)
  const type = exceptionTypes.get(String(data.exceptionType)) ?? `exception ${data.exceptionType ?? unknown}`
  return {
    reportId: null,
    happenedAt,
    bundleIdentifier: data.bundleIdentifier ?? '',
    version: cleanText(data.appVersion, 'short') ?? unknown,
    build: cleanText(data.appBuildVersion, 'short') ?? unknown,
    osName: cleanText(os?.[1] ?? data.osVersion, 'short') ?? unknown,
    osVersion: cleanText(os?.[2], 'short') ?? unknown,
    deviceModel: cleanText(data.deviceType, 'short'),
    exceptionType: cleanText(signal === '' ? type : `${type} (${signal})`, 'short') ?? unknown,
    exceptionReason: cleanText(
      data.objectiveCexceptionReason?.composedMessage ?? data.terminationReason ?? data.virtualMemoryRegionInfo,
      'reason',
    ),
    threads,
    images: usedImages(threads, images.values()),
  }
}

/** Reads the first call of each level. A crash has one tree for each thread, so a level has one call. */
function readCalls(roots: readonly unknown[], arch: string, images: Map<string, CrashImage>): CrashFrame[] {
  const frames: CrashFrame[] = []
  let [next] = roots
  // One call more than the maximum is read. So a longer stack is refused, and not cut off without an error.
  while (next !== undefined && frames.length <= mostCalls) {
    const call = parseInput(Call, next) as v.InferOutput<typeof Call>
    const uuid = cleanUuid(call.binaryUUID)
    const offset = call.offsetIntoBinaryTextSegment ?? 0
    const loadedAt = call.address === undefined || call.address === null ? 0 : Math.max(0, call.address - offset)
    frames.push({ address: addressOf(loadedAt, offset), ...(uuid === undefined ? {} : { imageUuid: uuid }) })
    if (uuid !== undefined && !images.has(uuid)) {
      const name = cleanText(call.binaryName?.slice(call.binaryName.lastIndexOf('/') + 1), 'imageName') ?? unknown
      images.set(uuid, { uuid, name, arch, loadAddress: addressOf(loadedAt) })
    }
    next = call.subFrames?.[0]
  }
  return frames
}

/** Source: mach/exception_types.h. */
const exceptionTypes: ReadonlyMap<string, string> = new Map([
  ['1', 'EXC_BAD_ACCESS'],
  ['2', 'EXC_BAD_INSTRUCTION'],
  ['3', 'EXC_ARITHMETIC'],
  ['4', 'EXC_EMULATION'],
  ['5', 'EXC_SOFTWARE'],
  ['6', 'EXC_BREAKPOINT'],
  ['7', 'EXC_SYSCALL'],
  ['8', 'EXC_MACH_SYSCALL'],
  ['9', 'EXC_RPC_ALERT'],
  ['10', 'EXC_CRASH'],
  ['11', 'EXC_RESOURCE'],
  ['12', 'EXC_GUARD'],
  ['13', 'EXC_CORPSE_NOTIFY'],
])

/** Source: sys/signal.h of Darwin. */
const signals: ReadonlyMap<string, string> = new Map([
  ['3', 'SIGQUIT'],
  ['4', 'SIGILL'],
  ['5', 'SIGTRAP'],
  ['6', 'SIGABRT'],
  ['7', 'SIGEMT'],
  ['8', 'SIGFPE'],
  ['9', 'SIGKILL'],
  ['10', 'SIGBUS'],
  ['11', 'SIGSEGV'],
  ['12', 'SIGSYS'],
  ['13', 'SIGPIPE'],
  ['15', 'SIGTERM'],
])
