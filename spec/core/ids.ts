/**
 * Identifiers are TypeIDs: a prefix for the kind, `_`, and a UUIDv7 as 26 characters of base32. So they sort by their creation
 * time. Source of the format: the TypeID specification 0.3.
 */
import { type ActorKind, actorKinds, kinds } from './kinds.ts'

export { type ActorKind, actorKinds }

/** The prefix of each kind's IDs. */
export const idPrefixes = Object.freeze(
  Object.fromEntries(actorKinds.map((kind) => [kind, kinds[kind].prefix])) as {
    readonly [K in ActorKind]: (typeof kinds)[K]['prefix']
  },
)

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const body = '[0-7][0-9a-hjkmnp-tv-z]{25}'
const form = new RegExp(`^([a-z]{2,8})_(${body})$`)
const kindByPrefix = new Map<string, ActorKind>(actorKinds.map((kind) => [idPrefixes[kind], kind]))

/** The kind of an ID; `undefined` if the text is not an ID. */
export function kindOfId(id: string): ActorKind | undefined {
  const match = form.exec(id)
  return match?.[1] === undefined ? undefined : kindByPrefix.get(match[1])
}

/** The format of a kind's IDs, as a regular expression of JSON schema. */
export function idPattern(kind: ActorKind): string {
  return `^${idPrefixes[kind]}_${body}$`
}

/** The ID with the same 26 characters and another kind's prefix. A worktree's queue is found from the worktree in this way. */
export function siblingId(kind: ActorKind, id: string): string {
  return `${idPrefixes[kind]}_${id.slice(id.indexOf('_') + 1)}`
}

/** The random bits at the end of a UUIDv7. */
const randomBits = (1n << 62n) - 1n

/**
 * An ID that follows from another one and a number, so that a machine can name the actors that it creates. It has the time of the other ID,
 * and other random bits for each number. The bits are mixed, so that an ID that follows from such an ID is another one again. Source of the
 * mixing: SplitMix64, with 62 bits.
 */
export function numberedId(kind: ActorKind, id: string, number: number): string {
  const value = BigInt(`0x${uuidOf(id).replaceAll('-', '')}`)
  let bits = ((value & randomBits) + BigInt(number) * 0x9e3779b97f4a7c15n) & randomBits
  bits = ((bits ^ (bits >> 30n)) * 0xbf58476d1ce4e5b9n) & randomBits
  bits = ((bits ^ (bits >> 27n)) * 0x94d049bb133111ebn) & randomBits
  bits ^= bits >> 31n
  return idOfUuid(kind, ((value & ~randomBits) | bits).toString(16).padStart(32, '0'))
}

/** The only `registration` actor. */
export const registrationId = `${idPrefixes.registration}_00000000000000000000000000`

/** The only `telemetrySettings` actor. */
export const telemetrySettingsId = `${idPrefixes.telemetrySettings}_00000000000000000000000000`

/** The only `serverUrlSettings` actor. */
export const serverUrlSettingsId = `${idPrefixes.serverUrlSettings}_00000000000000000000000000`

/** The only `mcpToolPreset` actor. It stores all presets, whose own IDs have the same prefix. */
export const presetCatalogId = `${idPrefixes.mcpToolPreset}_00000000000000000000000000`

/** The UUID in an ID, in the usual format: 8-4-4-4-12 hexadecimal digits. */
export function uuidOf(id: string): string {
  let value = 0n
  for (const letter of id.slice(id.indexOf('_') + 1)) value = value * 32n + BigInt(alphabet.indexOf(letter))
  return value
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The ID for a UUID (8-4-4-4-12 hexadecimal digits). Each can be computed from the other. */
export function idOfUuid(kind: ActorKind, uuid: string): string {
  const digits = uuid.replaceAll('-', '')
  return encodeId(
    idPrefixes[kind],
    Uint8Array.from({ length: 16 }, (_, index) => Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16)),
  )
}

/**
 * A text that sorts before every ID of the kind that is created from this time on, and after all earlier ones: IDs begin with
 * their time.
 */
export function firstIdAt(kind: ActorKind, ms: number): string {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(Math.max(0, Math.ceil(ms))) << 16n)
  return encodeId(idPrefixes[kind], bytes)
}

/**
 * Encodes 16 bytes as 26 characters of Crockford's base32, most significant first.
 * @param bytes a UUID, 16 bytes
 */
export function encodeId(prefix: string, bytes: Uint8Array): string {
  let text = ''
  let carried = 0
  let bits = 2 // 26 characters hold 130 bits: the first has two that are always zero
  for (const byte of bytes) {
    carried = (carried << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(carried >>> bits) & 31]
      carried &= (1 << bits) - 1
    }
  }
  return `${prefix}_${text}`
}
