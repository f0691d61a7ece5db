/** Schemas from the text of a setting to its value. The message of each schema completes the sentence "NAME must be …". */
import { BlockList, isIP } from 'node:net'
import * as v from 'valibot'
import { isOrigin, normalizeOrigin } from '../core/origin.ts'

/** Accepts some texts, unchanged. */
export const accept = (isValid: (text: string) => boolean, rule: string) => v.pipe(v.string(), v.check(isValid, rule))

/** Accepts texts separated by commas, of which each is valid and none is empty. */
const acceptList = (isValid: (entry: string) => boolean, rule: string) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.split(',').map((entry) => entry.trim())),
    v.check((entries) => entries.every((entry) => entry !== '' && isValid(entry)), rule),
  )

const wholeNumber = (from: number, to: number, rule: string) =>
  v.pipe(
    accept((text) => /^\d{1,15}$/.test(text) && Number(text) >= from && Number(text) <= to, rule),
    v.transform(Number),
  )

export const port = wholeNumber(0, 65_535, 'a port from 0 (any free one) to 65535')

export const days = wholeNumber(1, 36_500, 'a number of days from 1 to 36500')

export const limit = (max: number | undefined) =>
  wholeNumber(1, max ?? Number.MAX_SAFE_INTEGER, `a whole number from 1${max === undefined ? '' : ` to ${max}`}`)

export const boolean = v.pipe(
  accept((text) => /^(true|false|on|off|1|0)$/i.test(text), 'true or false'),
  v.transform((text) => /^(true|on|1)$/i.test(text)),
)

export const oneOf = <const Options extends readonly string[]>(...options: Options) =>
  v.picklist(options, new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(options))

export const plainText = accept((text) => /^[\x20-\x7e]{1,1000}$/.test(text), 'plain text')

export const folder = accept((path) => !path.includes('\0'), 'a folder')

export const host = accept(isHost, 'an address or host name to listen on')

/** A bucket, and a prefix of the keys. */
export const s3Url = accept(
  (text) => /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w./-]{0,200})?$/.test(text),
  'an s3 URL of a bucket and a prefix',
)

export const httpsUrl = accept((text) => isUrl(text, 'https', 'http'), 'an https URL')

/** Accepts an issuer unchanged, because issuers are compared byte by byte. */
export const issuer = accept(
  (text) => isUrl(text, 'https', 'http') && !/[?#]/.test(text),
  'an https URL without a query',
)

/** Paths are added to the value: it has no slash at its end. */
export const webSocketUrl = v.pipe(
  accept((text) => isUrl(text, 'ws', 'wss') && !/[?#]/.test(text), 'a ws or wss URL'),
  v.transform((text) => text.replace(/\/+$/, '')),
)

/** The URL may name several servers, separated by commas. */
export const postgresUrl = accept((text) => {
  const [, before, hosts, rest] = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]+)(.*)$/s.exec(text) ?? []
  return hosts?.split(',').every((host) => isUrl(`${before}${host}${rest}`, 'postgres', 'postgresql')) === true
}, 'a postgres URL')

/** Values of the agent's `--cli`. */
export const clis = v.pipe(
  v.string(),
  v.transform((text) => text.split(';').map((entry) => entry.trim())),
  v.check(
    (entries) => entries.every((entry) => /^(detect|[A-Za-z0-9][\w-]*=(acp|plain):.*\S.*)$/s.test(entry)),
    'detect, NAME=acp:COMMAND or NAME=plain:COMMAND, or several of them separated by semicolons',
  ),
)

export const natsUrls = v.pipe(
  acceptList((text) => isUrl(text, 'nats', 'tls', 'ws', 'wss'), 'nats URLs separated by commas'),
  v.transform((texts) => texts.join(',')),
)

/** The value is the origin as browsers send it. */
export const origin = v.pipe(accept(isOrigin, 'an http or https origin without a path'), v.transform(normalizeOrigin))

export const origins = v.pipe(
  acceptList(isOrigin, 'http or https origins without a path, separated by commas'),
  v.transform((texts) => texts.map(normalizeOrigin)),
)

/** The value answers `check(address, family)`. */
export const addresses = v.pipe(
  acceptList(isAddressOrRange, 'addresses or CIDRs separated by commas'),
  v.transform((entries) => toBlockList(entries)),
)

/** Hosts that outbound requests may reach although their address is not public. */
export interface OutboundAllow {
  /** Host names in lower case. */
  readonly hosts: ReadonlySet<string>
  readonly addresses: BlockList
}

export const outboundAllow = v.pipe(
  acceptList((entry) => isAddressOrRange(entry) || isHost(entry), 'host names, addresses or CIDRs separated by commas'),
  v.transform((entries): OutboundAllow => {
    const names = entries.filter((entry) => !isAddressOrRange(entry)).map((name) => name.toLowerCase())
    return { hosts: new Set(names), addresses: toBlockList(entries.filter(isAddressOrRange)) }
  }),
)

export const scopes = v.pipe(
  v.string(),
  v.transform((text) => text.split(/[\s,]+/)),
  v.check((scopes) => scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)), 'scopes separated by spaces'),
)

function isHost(text: string): boolean {
  const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i
  // A text of digits and dots is a mistyped address, such as 10.0.0.300.
  return isIP(text) !== 0 || (hostName.test(text) && !/^[\d.]+$/.test(text))
}

function isUrl(text: string, ...schemes: string[]): boolean {
  const url = URL.parse(text)
  return url !== null && schemes.includes(url.protocol.slice(0, -1)) && url.hostname !== ''
}

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
