/** Computes the place of a crash, by which reports are grouped: the innermost calls of the app in the thread that crashed. */
import { type PlaceFrame, placeFrames } from '../../../../spec/apps/crashPlace.ts'
import { lastException } from '../crashFormats/crashContents.ts'
import { linkedAddress } from '../symbolication/frameAddress.ts'
import type { CrashContent, StoredFrame, StoredImage } from '../threads/storedThreads.ts'

/** A call of the place, and the text by which it is compared with those of other reports. */
export interface PlacedFrame extends PlaceFrame {
  readonly identity: string
}

/** The innermost call comes first. If the app has no call in the thread, the calls of any image count. */
export function placeOfCrash({ threads, images }: CrashContent): readonly PlacedFrame[] {
  const byUuid = new Map(images.map((image) => [image.uuid, image]))
  const calls = (findCrashedThread(threads)?.frames ?? []).flatMap((frame): [StoredFrame, StoredImage][] => {
    const image = byUuid.get(frame.imageUuid ?? '')
    return image === undefined || isPseudo(frame) ? [] : [[frame, image]]
  })
  const own = calls.filter(([, image]) => !image.isSystem)
  const found: PlacedFrame[] = []
  for (const [frame, image] of own.length > 0 ? own : calls) {
    const placed = identifyFrame(frame, image)
    // A recursion is one call, however deep it is.
    if (placed.identity !== found.at(-1)?.identity && found.push(placed) === placeFrames) break
  }
  return found
}

/** If no code has caught an exception, the thread shows only the place that has thrown it last. So the stack of the exception is preferred. */
function findCrashedThread(threads: CrashContent['threads']): CrashContent['threads'][number] | undefined {
  return threads.find(({ name }) => name === lastException) ?? threads.find(({ crashed }) => crashed) ?? threads[0]
}

/** The Swift compiler records the reason of a failure as an inlined call, which does not exist. */
function isPseudo({ symbol }: StoredFrame): boolean {
  return symbol?.startsWith('Swift runtime failure: ') === true
}

/** The suffixes of parts into which a compiler has split a function. They differ between builds. */
const parts = /(?: \(\.[\w.]+\)| \[clone [^\]]+\]|\.(?:llvm|cold|isra|constprop|part)(?:\.\d+)*)+$/

function identifyFrame(frame: StoredFrame, image: StoredImage): PlacedFrame {
  const symbol = frame.symbol?.replace(parts, '')
  if (symbol) return { image: image.name, symbol, address: null, identity: `${image.name}!${symbol}` }
  const offset = linkedAddress(BigInt(frame.address), image, 0n) ?? BigInt(frame.address)
  const address = `0x${offset.toString(16)}`
  // An address has a meaning in its build only, so the identity has the UUID of the image.
  return { image: image.name, symbol: null, address, identity: `${image.uuid}+${address}` }
}
