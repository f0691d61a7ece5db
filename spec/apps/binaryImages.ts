/** Binaries by their UUIDs: what crash reports name their frames' images by, and dSYMs what they have the symbols of. */
import * as v from 'valibot'
import { named, text } from '../core/types.ts'

/** Images that one dSYM may have. One transition of a crash report takes in all of them. */
export const imagesMax = 150

const uuidForm = /^[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$/
export const uuid = v.pipe(
  v.string(),
  v.regex(uuidForm, 'must be a UUID: 8-4-4-4-12 hexadecimal digits, such as 0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0'),
)

export const address = v.pipe(
  v.string(),
  v.regex(/^0x[0-9A-Fa-f]{1,16}$/, 'must be a hexadecimal address, such as 0x104d2a1b8'),
)

export const imageFields = {
  name: v.pipe(text({ min: 1, max: 255 }), v.description('The name of the image’s file, for example `Shop`.')),
  uuid,
  arch: v.pipe(
    v.string(),
    v.regex(/^[A-Za-z0-9_]{1,20}$/, 'must be an architecture, such as arm64'),
    v.description('The architecture, for example `arm64` or `x86_64`.'),
  ),
}

export const imageSchema = named(
  'BinaryImage',
  'One build of one binary, identified by its UUID.',
  v.object({ name: v.string(), uuid: v.string(), arch: v.string() }),
)
