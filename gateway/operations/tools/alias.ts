/**
 * The alias of a tool of an external server, under which it is advertised: `svc_ext_<hash>_<label>`. It follows from the server's ID
 * and the raw name alone. So it does not change if the server or its prefix is renamed, and one raw name on two servers has two aliases.
 */
import { createHash } from 'node:crypto'

const prefix = 'svc_ext_'
/** 80 bits: enough to prevent that a server finds a tool name with the alias of another server's tool. */
const hashLength = 20
const maxLength = 64
const labelLength = maxLength - prefix.length - hashLength - 1

/** It matches `^[a-zA-Z0-9_-]{1,64}$`. The hash makes it unique, and the label makes it readable. */
export function externalAlias(serverId: string, rawName: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([serverId, rawName]))
    .digest('hex')
  return `${prefix}${hash.slice(0, hashLength)}_${makeLabel(rawName)}`
}

/** The name in ASCII: letters without their accents, and `_` for other characters. */
function makeLabel(rawName: string): string {
  const plain = rawName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9-]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, labelLength)
    .replace(/_+$/, '')
  return plain === '' ? 'tool' : plain
}
