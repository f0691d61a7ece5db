/** Schemas from the text of a setting to its value. The message of each schema completes the sentence "NAME must be …". */
import { BlockList, isIP } from 'node:net'
import * as v from 'valibot'

const wholeNumber = (from: number, to: number) =>
  v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number), v.minValue(from), v.maxValue(to))

export const port = v.message(wholeNumber(0, 65_535), 'a port from 0 (any free one) to 65535')

export const days = v.message(wholeNumber(1, 36_500), 'a number of days from 1 to 36500')

export const limit = (max = Number.MAX_SAFE_INTEGER) =>
  v.message(
    wholeNumber(1, max),
    max === Number.MAX_SAFE_INTEGER ? 'a whole number from 1' : `a whole number from 1 to ${max}`,
  )

export const boolean = v.message(
  v.pipe(
    v.string(),
    v.toLowerCase(),
    v.picklist(['true', 'false', 'on', 'off', '1', '0']),
    v.transform((text) => ['true', 'on', '1'].includes(text)),
  ),
  'true or false',
)

export const oneOf = <const Options extends readonly string[]>(...options: Options) =>
  v.message(v.picklist(options), new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(options))

export const matching = (pattern: RegExp, rule: string) => v.message(v.pipe(v.string(), v.regex(pattern)), rule)

export const plainText = matching(/^[\x20-\x7e]{1,1000}$/, 'plain text')

export const folder = v.message(
  v.pipe(
    v.string(),
    v.check((path) => !path.includes('\0')),
  ),
  'a folder',
)

const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

export const host = v.message(
  v.pipe(
    v.string(),
    // Digits and dots alone are a mistyped address, such as 10.0.0.300.
    v.check((text) => isIP(text) !== 0 || (hostName.test(text) && !/^[\d.]+$/.test(text))),
  ),
  'an address or host name to listen on',
)

const anyUrl = (...schemes: string[]) =>
  v.pipe(
    v.string(),
    v.check((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1))),
    v.check((text) => new URL(text).hostname !== ''),
  )

export const s3Url = v.message(anyUrl('s3'), 'an s3 URL')

export const httpsUrl = v.message(anyUrl('https', 'http'), 'an https URL')

/** The text is unchanged, because issuers are compared byte by byte. */
export const issuer = v.message(
  v.pipe(
    anyUrl('https', 'http'),
    v.check((text) => !/[?#]/.test(text)),
  ),
  'an https URL without a query',
)

/** A URL to which paths are added: without a slash at its end. */
export const webSocketUrl = v.message(
  v.pipe(
    anyUrl('ws', 'wss'),
    v.check((text) => !/[?#]/.test(text)),
    v.transform((text) => text.replace(/\/+$/, '')),
  ),
  'a ws or wss URL',
)

/** The URL may name several servers, separated by commas. */
export const postgresUrl = v.message(
  v.pipe(
    v.string(),
    v.check((text) => {
      const [, before, hosts, rest] = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]+)(.*)$/s.exec(text) ?? []
      const one = anyUrl('postgres', 'postgresql')
      return hosts?.split(',').every((host) => v.is(one, `${before}${host}${rest}`)) === true
    }),
  ),
  'a postgres URL',
)

/** Texts separated by commas, none empty. */
const list = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((entry) => entry.trim())),
  v.check((entries) => entries.every((entry) => entry !== '')),
)

export const natsUrls = v.message(
  v.pipe(
    list,
    v.check((texts) => texts.every((text) => v.is(anyUrl('nats', 'tls', 'ws', 'wss'), text))),
    v.transform((texts) => texts.join(',')),
  ),
  'nats URLs separated by commas',
)

/** The value is the origin as browsers send it. */
export const origin = v.message(
  v.pipe(
    v.string(),
    v.check((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)),
    v.check((text) => {
      const { pathname, search, hash, username, password } = new URL(text)
      return pathname === '/' && `${search}${hash}${username}${password}` === '' && !/[?#@]/.test(text)
    }),
    v.transform((text) => new URL(text).origin),
  ),
  'an http or https origin without a path',
)

export const origins = v.message(
  v.pipe(
    list,
    v.check((texts) => texts.every((text) => v.is(origin, text))),
    v.transform((texts) => texts.map((text) => v.parse(origin, text))),
  ),
  'http or https origins without a path, separated by commas',
)

/** The value answers `check(address, family)`. */
export const addresses = v.message(
  v.pipe(
    list,
    v.check((entries) => entries.every(isAddressOrRange)),
    v.transform((entries) => toBlockList(entries)),
  ),
  'addresses or CIDRs separated by commas',
)

/** Hosts that outbound requests may reach although their address is not public. */
export interface OutboundAllow {
  /** Host names in lower case. */
  readonly hosts: ReadonlySet<string>
  readonly addresses: BlockList
}

export const outboundAllow = v.message(
  v.pipe(
    list,
    v.check((entries) => entries.every((entry) => isAddressOrRange(entry) || v.is(host, entry))),
    v.transform((entries): OutboundAllow => {
      const names = entries.filter((entry) => !isAddressOrRange(entry))
      return {
        hosts: new Set(names.map((name) => name.toLowerCase())),
        addresses: toBlockList(entries.filter(isAddressOrRange)),
      }
    }),
  ),
  'host names, addresses or CIDRs separated by commas',
)

function isAddressOrRange(entry: string): boolean {
  const [address = '', prefix, ...more] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}

function toBlockList(entries: readonly string[]): BlockList {
  const blockList = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (prefix === undefined) blockList.addAddress(address, family)
    else blockList.addSubnet(address, Number(prefix), family)
  }
  return blockList
}

export const scopes = v.message(
  v.pipe(
    v.string(),
    v.transform((text) => text.split(/[\s,]+/)),
    v.check((scopes) => scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))),
  ),
  'scopes separated by spaces',
)
