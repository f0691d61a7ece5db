import { BlockList, isIP } from 'node:net'
import * as v from 'valibot'

/** What a setting's text may be, as valibot schemas from the text to the value. They say yes or no; the table says why. */

/** A whole number in a range. */
export const wholeNumber = (from: number, to: number) =>
  v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number), v.minValue(from), v.maxValue(to))

export const port = wholeNumber(0, 65_535)

export const yesNo = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.picklist(['true', 'false', 'on', 'off', '1', '0']),
  v.transform((text) => text === 'true' || text === 'on' || text === '1'),
)

const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

/** An address or a host name to listen on. */
export const host = v.pipe(
  v.string(),
  v.check((text) => isIP(text) !== 0 || (hostName.test(text) && !looksLikeAddress(text))),
)

/** A URL of one of these schemes, as it was written. */
export const url = (...schemes: string[]) =>
  v.pipe(
    v.string(),
    v.check((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1))),
    v.check((text) => new URL(text).hostname !== ''),
  )

/** A URL of a PostgreSQL database. It may name several servers, separated by commas. */
export const postgresUrl = v.pipe(
  v.string(),
  v.check((text) => {
    const [, before, hosts, rest] = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]+)(.*)$/s.exec(text) ?? []
    const one = url('postgres', 'postgresql')
    return hosts?.split(',').every((host) => v.is(one, `${before}${host}${rest}`)) === true
  }),
)

/** A URL to which paths are added: it ends without a slash. */
export const baseUrl = (...schemes: string[]) =>
  v.pipe(
    url(...schemes),
    v.check((text) => !/[?#]/.test(text)),
    v.transform((text) => text.replace(/\/+$/, '')),
  )

/** URLs of these schemes, separated by commas. */
export const urls = (...schemes: string[]) =>
  v.pipe(
    list,
    v.check((texts) => texts.every((text) => v.is(url(...schemes), text))),
    v.transform((texts) => texts.join(',')),
  )

/** Scheme, host and port of a web site and nothing else; written the one way in which browsers send it. */
export const origin = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)),
  v.check((text) => {
    const { pathname, search, hash, username, password } = new URL(text)
    return pathname === '/' && `${search}${hash}${username}${password}` === '' && !/[?#@]/.test(text)
  }),
  v.transform((text) => new URL(text).origin),
)

/** Texts separated by commas, none empty. */
export const list = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((entry) => entry.trim())),
  v.check((entries) => entries.every((entry) => entry !== '')),
)

export const origins = v.pipe(
  list,
  v.check((texts) => texts.every((text) => v.is(origin, text))),
  v.transform((texts) => texts.map((text) => v.parse(origin, text))),
)

/** Addresses and CIDRs, separated by commas, as a list that answers `check(address, family)`. */
export const addresses = v.pipe(
  list,
  v.check((entries) => entries.every(isAddressOrRange)),
  v.transform((entries) => addTo(new BlockList(), entries)),
)

/** Hosts that outbound requests may reach although their address is private. */
export interface OutboundAllow {
  /** Host names in lower case. */
  readonly hosts: ReadonlySet<string>
  readonly addresses: BlockList
}

export const outboundAllow = v.pipe(
  list,
  v.check((entries) => entries.every((entry) => isAddressOrRange(entry) || v.is(host, entry))),
  v.transform((entries): OutboundAllow => {
    const ranges = entries.filter(isAddressOrRange)
    const names = entries.filter((entry) => !isAddressOrRange(entry))
    return { hosts: new Set(names.map((name) => name.toLowerCase())), addresses: addTo(new BlockList(), ranges) }
  }),
)

function isAddressOrRange(entry: string): boolean {
  const [address = '', prefix, ...more] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}

function addTo(blockList: BlockList, entries: readonly string[]): BlockList {
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (prefix === undefined) blockList.addAddress(address, family)
    else blockList.addSubnet(address, Number(prefix), family)
  }
  return blockList
}

/** A mistyped address, such as 10.0.0.300, would pass as a host name. */
function looksLikeAddress(text: string): boolean {
  return /^[\d.]+$/.test(text)
}
