/** The threads of a crash report: as sent, as stored and as returned. */
import * as v from 'valibot'
import { int, named, text } from '../core/types.ts'
import { address, imageFields, uuid } from './binaryImages.ts'

/** The largest number of a line. A query returns it as an Int, which has 32 bits, and JSON has larger numbers. */
export const lastLine = 2 ** 31 - 1
const line = v.pipe(int, v.minValue(0), v.maxValue(lastLine))

const frameInput = named(
  'CrashFrameInput',
  'A call on the stack of a thread.',
  v.object({
    imageUuid: v.pipe(
      v.nullish(uuid),
      v.description('The UUID of the image that contains the call. Omit it if no image does.'),
    ),
    address,
    symbol: v.pipe(
      v.nullish(text({ min: 1, max: 1_000 })),
      v.description('The name of the called function, if it is known.'),
    ),
    file: v.nullish(text({ min: 1, max: 1_000 })),
    line: v.nullish(line),
  }),
)
const threadInput = named(
  'CrashThreadInput',
  'A thread of the crashed app, with the innermost call first.',
  v.object({
    name: v.nullish(text({ min: 1, max: 255 })),
    crashed: v.pipe(v.nullish(v.boolean()), v.description('Whether this thread crashed. Default: false.')),
    frames: v.pipe(v.array(frameInput), v.maxLength(1_000)),
  }),
)
const imageInput = named(
  'CrashImageInput',
  'A binary that the app had loaded.',
  v.object({
    ...imageFields,
    loadAddress: v.pipe(
      v.nullish(address),
      v.description(
        'The address at which the image was loaded. Without it, the addresses of frames count as those of the linker.',
      ),
    ),
    path: v.pipe(
      v.nullish(text({ min: 1, max: 1_000 })),
      v.description('The path of the image on the device. It shows which images belong to the operating system.'),
    ),
  }),
)

export const contentInput = {
  threads: v.pipe(
    v.array(threadInput),
    v.minLength(1),
    v.maxLength(1_000),
    v.description('All threads of the app, including the one that crashed.'),
  ),
  images: v.pipe(v.array(imageInput), v.maxLength(2_000), v.description('The binaries that contain the calls.')),
}

export const frameSchema = named(
  'CrashFrame',
  'A call on the stack of a thread.',
  v.object({
    imageUuid: v.nullable(v.string()),
    imageName: v.nullable(v.string()),
    isSystem: v.pipe(
      v.boolean(),
      v.description('Whether the image belongs to the operating system. No dSYM is needed for it.'),
    ),
    address: v.string(),
    symbol: v.pipe(v.nullable(v.string()), v.description('The name of the function. Null if it is not known.')),
    rawSymbol: v.pipe(
      v.nullable(v.string()),
      v.description(
        'The name for the linker, for example a mangled one of Swift. Null if it is that of `symbol`, or not known.',
      ),
    ),
    offset: v.pipe(
      v.nullable(int),
      v.description('Bytes from the start of the function to the address. Null if it is not known.'),
    ),
    file: v.nullable(v.string()),
    line: v.nullable(int),
    column: v.nullable(int),
    isInlined: v.pipe(
      v.boolean(),
      v.description(
        'Whether the call has no code of its own, because the compiler made it a part of the function in the next frame.',
      ),
    ),
  }),
)
export const threadSchema = named(
  'CrashThread',
  'A thread of a crashed app.',
  v.object({
    number: v.pipe(int, v.description('The position in the report, from 0.')),
    name: v.nullable(v.string()),
    crashed: v.boolean(),
    frameCount: int,
  }),
)

/** The most frames that a tool returns of one report. Nearly all reports have fewer. */
export const toolFramesMax = 2_000

/** A thread as tools return it, with the innermost call first. */
export const wholeThreadSchema = v.object({
  ...threadSchema.entries,
  frames: v.array(frameSchema),
})
