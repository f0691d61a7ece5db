/** What a device says of itself in its answer. */
import * as v from 'valibot'
import { words } from '../../../../spec/core/types.ts'
import type { Plist } from './readPlist.ts'

/** One line, without what can't be printed; null where nothing is left. */
const line = v.pipe(
  v.optional(words(100), ''),
  v.transform((text) => text.replace(/\s+/g, ' ').trim() || null),
)

const form = v.object({
  // 40 hexadecimal digits, 8 and 16 of them since 2018, a UUID of a Mac; and what will come after.
  UDID: v.pipe(v.string(), v.regex(/^[0-9A-Fa-f](?:[0-9A-Fa-f-]{18,62})[0-9A-Fa-f]$/)),
  SERIAL: line,
  PRODUCT: line,
  VERSION: line,
  DEVICE_NAME: line,
})

export interface Attributes {
  readonly udid: string
  readonly serial: string | null
  readonly product: string | null
  readonly osVersion: string | null
  readonly ownName: string | null
}

/** Undefined where there is no UDID of the form that Apple's have. */
export function attributesOf(plist: Plist): Attributes | undefined {
  const { success, output } = v.safeParse(form, Object.fromEntries(plist))
  if (!success) return undefined
  const { UDID: udid, SERIAL: serial, PRODUCT: product, VERSION: osVersion, DEVICE_NAME: ownName } = output
  return { udid, serial, product, osVersion, ownName }
}
