/**
 * Names the frames of a crash report. A frame with a symbol and a file stays as it is. The calls that the compiler has inlined become frames of
 * their own, the innermost first.
 */

import { printable } from '../../core/printable.ts'
import { lastException } from '../crashFormats/crashContents.ts'
import type { SymbolFrame, SymbolTable } from '../symbols/symbolTable.ts'
import type { CrashContent, StoredFrame, StoredImage } from '../threads/storedThreads.ts'
import { linkedAddress } from './frameAddress.ts'

export interface ImageSymbols {
  readonly table: Pick<SymbolTable, 'lookUp'>
  /** The address of `__TEXT` for which the image was linked. */
  readonly textAddress: bigint
}

export interface Symbolicated {
  readonly content: CrashContent
  /** Of the frames that were sent, those that have a name now. */
  readonly named: number
  /** Those that want a name and whose image has no symbols. */
  readonly unnamed: number
}

/** Inlined calls in one report that become frames. The names of a report must not fill the memory. */
const mostInlined = 100_000
/** Lengths of texts as reports may have them. */
const mostText = 1_000

/** @param symbolsOf undefined if the image has no symbols */
export async function symbolicate(
  { threads, images }: CrashContent,
  symbolsOf: (uuid: string) => Promise<ImageSymbols | undefined>,
): Promise<Symbolicated> {
  const byUuid = new Map(images.map((image) => [image.uuid, image]))
  const known = new Map<string, readonly SymbolFrame[]>()
  let [named, unnamed, inlined] = [0, 0, 0]
  const result: CrashContent['threads'][number][] = []
  for (const thread of threads) {
    const frames: StoredFrame[] = []
    for (const [index, frame] of thread.frames.entries()) {
      const own = await nameFrame(frame, isReturnAddress(index, thread))
      frames.push(...own)
      if (own.some(({ symbol }) => symbol)) named++
    }
    result.push({ ...thread, frames })
  }
  return { content: { threads: result, images }, named, unnamed }

  async function nameFrame(frame: StoredFrame, isReturn: boolean): Promise<readonly StoredFrame[]> {
    const image = byUuid.get(frame.imageUuid ?? '')
    if (image === undefined || (frame.symbol && frame.file)) return [frame]
    const symbols = await symbolsOf(image.uuid)
    if (symbols === undefined) {
      if (!frame.symbol && !image.isSystem) unnamed++
      return [frame]
    }
    const calls = await lookUp(BigInt(frame.address), image, symbols, isReturn)
    if (calls.length === 0) return [frame]
    const kept = inlined + calls.length - 1 > mostInlined ? calls.slice(-1) : calls
    inlined += kept.length - 1
    return kept.map((call) => toFrame(frame, call, isReturn))
  }

  async function lookUp(
    address: bigint,
    image: StoredImage,
    { table, textAddress }: ImageSymbols,
    isReturn: boolean,
  ): Promise<readonly SymbolFrame[]> {
    const linked = linkedAddress(address, image, textAddress)
    if (linked === undefined) return []
    // A return address is that of the instruction after the call, which may be of another line or function.
    const call = isReturn && linked > 0n ? linked - 1n : linked
    const key = `${image.uuid} ${call}`
    let frames = known.get(key)
    if (frames === undefined) {
      frames = await table.lookUp(call)
      known.set(key, frames)
    }
    return frames
  }
}

/** The address of a frame is where its call returns to. That of the innermost frame, and of one that a signal has interrupted, is exact. */
function isReturnAddress(index: number, { name, frames }: CrashContent['threads'][number]): boolean {
  if (name === lastException) return true
  return index > 0 && frames[index - 1]?.symbol !== '_sigtramp'
}

function toFrame(frame: StoredFrame, call: SymbolFrame, isReturn: boolean): StoredFrame {
  const { function: name, rawName, file, line, column, isInlined, offset } = call
  const symbol = clean(name) ?? (isInlined ? undefined : frame.symbol)
  const raw = clean(rawName)
  return {
    imageUuid: frame.imageUuid,
    address: frame.address,
    symbol,
    ...(raw === undefined || raw === symbol ? {} : { rawSymbol: raw }),
    file: clean(file) ?? (isInlined ? undefined : frame.file),
    line: line ?? (isInlined ? undefined : frame.line),
    ...(column === null ? {} : { column }),
    ...(isInlined ? { isInlined } : {}),
    ...(offset === null || !Number.isSafeInteger(offset) ? {} : { offset: offset + Number(isReturn) }),
  }
}

/** Names of symbols are hostile: they are bounded, and have no characters that change the text around them. */
function clean(text: string | null): string | undefined {
  if (text === null) return undefined
  return printable(text, mostText) || undefined
}
