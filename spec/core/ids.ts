/**
 * Identifiers are TypeIDs: a prefix that says what is named, `_`, and a UUIDv7 as 26 characters of base32, so they sort by
 * the time of their making. Source of the form: the TypeID specification 0.3.
 */
import { Failure } from './failure.ts'
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

/** Says which kind of actor an ID names, or `undefined` where it is no ID at all. */
export function kindOfId(id: string): ActorKind | undefined {
  const match = form.exec(id)
  return match?.[1] === undefined ? undefined : kindByPrefix.get(match[1])
}

/** Refuses an ID of the wrong kind or form with `BAD_USER_INPUT`, naming the field. */
export function requireId(kind: ActorKind, id: string, field: string): string {
  if (kindOfId(id) !== kind) {
    throw new Failure(
      'BAD_USER_INPUT',
      `${field} must be the ID of a ${kind}: "${idPrefixes[kind]}_" and 26 characters.`,
      {
        details: { field },
      },
    )
  }
  return id
}

/** The form of a kind's IDs, as a regular expression of JSON schema. */
export function idPattern(kind: ActorKind): string {
  return `^${idPrefixes[kind]}_${body}$`
}

/** The ID with the same 26 characters under another kind's prefix: how a worktree's queue is found from the worktree. */
export function siblingId(kind: ActorKind, id: string): string {
  return `${idPrefixes[kind]}_${id.slice(id.indexOf('_') + 1)}`
}

/** The only `registration` actor. */
export const registrationId = `${idPrefixes.registration}_00000000000000000000000000`

/** The only `telemetrySettings` actor. */
export const telemetrySettingsId = `${idPrefixes.telemetrySettings}_00000000000000000000000000`

/** The only `mcpToolPreset` actor: it keeps all presets, whose own IDs have the same prefix. */
export const presetCatalogueId = `${idPrefixes.mcpToolPreset}_00000000000000000000000000`

/** The UUID that an ID is made of, as it is written elsewhere: 8-4-4-4-12 hexadecimal digits. */
export function uuidOf(id: string): string {
  let value = 0n
  for (const letter of id.slice(id.indexOf('_') + 1)) value = value * 32n + BigInt(alphabet.indexOf(letter))
  return value
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The ID that is made of a UUID (8-4-4-4-12 hexadecimal digits): who knows the one knows the other. */
export function idOfUuid(kind: ActorKind, uuid: string): string {
  const digits = uuid.replaceAll('-', '')
  return encodeId(
    idPrefixes[kind],
    Uint8Array.from({ length: 16 }, (_, index) => Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16)),
  )
}

/** What sorts before every ID of the kind that is made from this time on, and after all that were made before: IDs begin with their time. */
export function firstIdAt(kind: ActorKind, ms: number): string {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(Math.max(0, Math.ceil(ms))) << 16n)
  return encodeId(idPrefixes[kind], bytes)
}

/**
 * Writes 16 bytes as 26 characters of Crockford's base32, most significant first.
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
