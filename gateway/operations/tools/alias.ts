/**
 * The name under which a tool of an external server is advertised: `svc_ext_<hash>_<label>`. It follows from the server's ID and
 * the raw name alone, so it stays when a server or its prefix is renamed, and the same raw name on two servers has two.
 */
import { createHash } from 'node:crypto'

const prefix = 'svc_ext_'
/** 80 bits: enough that nobody finds a name which another server's tool is called by. */
const hashLength = 20
const longest = 64
const labelLength = longest - prefix.length - hashLength - 1

/** `^[a-zA-Z0-9_-]{1,64}$`. The hash tells tools apart; the label is for who reads it. */
export function externalAlias(serverId: string, rawName: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([serverId, rawName]))
    .digest('hex')
  return `${prefix}${hash.slice(0, hashLength)}_${labelOf(rawName)}`
}

/** In readable ASCII: letters without their accents, and `_` for whatever else there is. */
function labelOf(rawName: string): string {
  const plain = rawName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9-]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, labelLength)
    .replace(/_+$/, '')
  return plain === '' ? 'tool' : plain
}
