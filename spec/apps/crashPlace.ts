/** The place of a crash in an app: what the reports of one group have in common. */

/** A call of the thread that crashed. */
export type PlaceFrame = {
  /** The name of the image. Null if the call is in no image. */
  readonly image: string | null
  /** The name of the function. Null if it is not known. */
  readonly symbol: string | null
  /** Without a symbol: the address in hexadecimal, from the start of the image if its load address is known. */
  readonly address: string | null
}

/** The calls of a place. With more of them, the callers of a function with a fault would split its group. */
export const placeFrames = 3

export type CrashPlace = {
  /** The type of the exception, without its signal: `EXC_BREAKPOINT`. */
  readonly exceptionType: string
  /** The innermost first. None if the report has no call with an image. */
  readonly frames: readonly PlaceFrame[]
}

/** The group of a report, with its place. */
export type CrashGroupPlace = CrashPlace & { readonly id: string }

/** `Cart.total()` or `Shop + 0x1f40`. */
export function formatPlaceFrame({ image, symbol, address }: PlaceFrame): string {
  return symbol ?? [image, address].filter((part) => part !== null).join(' + ')
}

/** The title of a group: its innermost call, or its exception if it has none. */
export function titleOfPlace({ exceptionType, frames: [first] }: CrashPlace): string {
  return first === undefined ? exceptionType : formatPlaceFrame(first)
}
