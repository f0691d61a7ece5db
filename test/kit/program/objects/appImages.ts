/**
 * An app of several images, their dSYMs, and crash reports with calls in them. All images have the code of one compiled program under a UUID
 * of their own, so that a large app takes no longer to build than one program.
 */
import { randomUUID } from 'node:crypto'
import { placeFrames } from '../../../../spec/apps/crashPlace.ts'
import { infoPlist, newImageUuid, storedZip } from './dsymZips.ts'

/** A program that clang has compiled, with its symbols. */
export interface CompiledImage {
  /** The Mach-O file of its dSYM. */
  readonly symbols: Buffer
  /** That of the file, upper case. */
  readonly uuid: string
  /** The address of `__TEXT` for which it was linked. */
  readonly textAddress: bigint
  /** Addresses of instructions, as they were linked. */
  readonly code: readonly bigint[]
}

export interface AppImage {
  readonly name: string
  /** Upper case. */
  readonly uuid: string
  readonly loadAddress: bigint
}

export interface AppOfImages {
  readonly bundleIdentifier: string
  readonly images: readonly AppImage[]
}

/** Larger than any image of a test. */
const imageDistance = 0x1000_0000n

export function makeAppOfImages(bundleIdentifier: string, count: number): AppOfImages {
  const images = Array.from({ length: count }, (_, index) => ({
    name: index === 0 ? 'Shop' : `Framework${index}`,
    uuid: newImageUuid(),
    loadAddress: 0x1_04d2_0000n + BigInt(index) * imageDistance,
  }))
  return { bundleIdentifier, images }
}

/** The file of the dSYM of an image: the compiled one, with the UUID of the image. */
export function symbolsOfImage({ symbols, uuid }: CompiledImage, image: Pick<AppImage, 'uuid'>): Buffer {
  const bytesOf = (text: string) => Buffer.from(text.replaceAll('-', ''), 'hex')
  const at = symbols.indexOf(bytesOf(uuid))
  if (at < 0) throw new Error(`The file does not have its UUID ${uuid}.`)
  const file = Buffer.from(symbols)
  bytesOf(image.uuid).copy(file, at)
  return file
}

/** A zip with the dSYMs of all images, which are stored without compression. */
export function zipOfImages({ bundleIdentifier, images }: AppOfImages, compiled: CompiledImage): Buffer {
  return storedZip(
    images.flatMap((image): [string, Buffer][] => [
      [`${image.name}.dSYM/Contents/Info.plist`, Buffer.from(infoPlist(bundleIdentifier))],
      [`${image.name}.dSYM/Contents/Resources/DWARF/${image.name}`, symbolsOfImage(compiled, image)],
    ]),
  )
}

/** A call, and the address whose symbol it has. */
export interface ImageCall {
  /** The index of the image in the app. */
  readonly image: number
  /** As it was linked. Of a frame that is not the innermost one, this is the instruction after its call. */
  readonly address: bigint
}

export interface CrashFile {
  readonly reportId: string
  /** In Apple's format (`.ips`). */
  readonly text: string
  readonly threads: readonly (readonly ImageCall[])[]
}

export interface CrashShape {
  readonly threads: number
  readonly framesPerThread: number
  /** Frames of each thread that belong to images of the system, which have no symbols. */
  readonly systemFrames?: number
  /** The number of places in which the app crashes: reports of one place are one crash group. If omitted, the place of each report is random. */
  readonly places?: number
}

const systemImage = { name: 'libsystem_kernel.dylib', path: '/usr/lib/system/libsystem_kernel.dylib' } as const
const systemBase = 0x1_a13b_8000n

/** @param below a random whole number from 0, below the given one */
export function makeCrashFile(
  { bundleIdentifier, images }: AppOfImages,
  { textAddress, code }: CompiledImage,
  { threads: count, framesPerThread, systemFrames = 0, places }: CrashShape,
  below: (end: number) => number,
): CrashFile {
  const reportId = randomUUID().toUpperCase()
  // Most calls of a thread are in the app's own binary.
  const anyImage = (): number => (below(2) === 0 ? 0 : below(images.length))
  const callAt = (image: number, place: number): ImageCall => {
    const address = code[place % code.length]
    if (address === undefined) throw new Error('The program has no code.')
    return { image, address }
  }
  const threads = Array.from({ length: count }, () =>
    Array.from({ length: framesPerThread - systemFrames }, () => callAt(anyImage(), below(code.length))),
  )
  if (places !== undefined) {
    const place = below(places)
    threads[0]?.splice(
      0,
      placeFrames,
      ...Array.from({ length: placeFrames }, (_, depth) => callAt(0, place + depth * places)),
    )
  }
  const system = Array.from({ length: systemFrames }, () => ({
    imageIndex: images.length,
    imageOffset: below(0x4000) * 4,
  }))
  const body = {
    captureTime: '2026-01-05 10:30:00.1234 +0100',
    modelCode: 'iPhone15,2',
    cpuType: 'ARM-64',
    osVersion: { train: 'iPhone OS 18.5', build: '22F76' },
    bundleInfo: { CFBundleIdentifier: bundleIdentifier, CFBundleShortVersionString: '2.1', CFBundleVersion: '210' },
    exception: { type: 'EXC_BREAKPOINT', signal: 'SIGTRAP' },
    faultingThread: 0,
    threads: threads.map((calls, index) => ({
      ...(index === 0 ? { triggered: true } : {}),
      frames: [
        ...calls.map(({ image, address }) => ({ imageIndex: image, imageOffset: Number(address - textAddress) })),
        ...system,
      ],
    })),
    usedImages: [
      ...images.map(({ name, uuid, loadAddress }) => ({
        ...{ uuid, base: Number(loadAddress), arch: 'arm64', name },
        path: `/private/var/containers/Shop.app/${name}`,
      })),
      ...(systemFrames > 0 ? [{ uuid: newImageUuid(), base: Number(systemBase), arch: 'arm64', ...systemImage }] : []),
    ],
  }
  const head = { bug_type: '309', incident_id: reportId, timestamp: '2026-01-05 10:30:00.00 +0100' }
  return { reportId, text: `${JSON.stringify(head)}\n${JSON.stringify(body)}`, threads }
}

/** The address that is looked up for a call: that of a call which returns later is one before the address to which it returns. */
export function lookedUpAddress({ address }: ImageCall, position: number): bigint {
  return position === 0 ? address : address - 1n
}

export interface ReportSender {
  readonly url: string
  readonly key: string
}

/** Sends a report as an app does. @returns its ID @throws Error if it was not stored */
export async function sendCrashFile({ url, key }: ReportSender, text: string): Promise<string> {
  const answer = await fetch(`${url}/api/public/crash-reports`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'x-api-key': key },
    body: text,
  })
  if (answer.status !== 201 && answer.status !== 200)
    throw new Error(`The crash report was answered ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { readonly id: string }).id
}
