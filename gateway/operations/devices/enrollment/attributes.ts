/** The attributes of a device in its answer. */
import * as v from 'valibot'
import { words } from '../../../../spec/core/types.ts'
import type { Plist } from './readPlist.ts'

/** One line without unprintable characters; null if nothing is left. */
const line = v.pipe(
  v.optional(words(100), ''),
  v.transform((text) => text.replace(/\s+/g, ' ').trim() || null),
)

const form = v.object({
  // The form of a UDID: 40 hexadecimal digits, 8 and 16 of them since 2018, a UUID for a Mac, and similar future forms.
  UDID: v.pipe(v.string(), v.regex(/^[0-9A-Fa-f](?:[0-9A-Fa-f-]{18,62})[0-9A-Fa-f]$/)),
  SERIAL: line,
  PRODUCT: line,
  VERSION: line,
  DEVICE_NAME: line,
})

export interface DeviceAttributes {
  readonly udid: string
  readonly serial: string | null
  readonly product: string | null
  readonly osVersion: string | null
  readonly ownName: string | null
}

/** Undefined if there is no UDID in a form of Apple's. */
export function readAttributes(plist: Plist): DeviceAttributes | undefined {
  const { success, output } = v.safeParse(form, Object.fromEntries(plist))
  if (!success) return undefined
  const { UDID: udid, SERIAL: serial, PRODUCT: product, VERSION: osVersion, DEVICE_NAME: ownName } = output
  return { udid, serial, product, osVersion, ownName }
}
