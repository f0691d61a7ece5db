/** Reads a provisioning profile: a property list in a CMS message that Apple has signed. The signature is not verified; `codesign` does. */
import { createHash, X509Certificate } from 'node:crypto'
import { parse } from 'plist'
import * as v from 'valibot'
import type { ProfileType } from '../../../../../spec/builds/signing/signingEnums.ts'
import {
  certificatesMax,
  type ProfileFacts,
  profileDevicesMax,
} from '../../../../../spec/builds/signing/signingFacts.ts'
import { readSignedMessage } from '../../../devices/enrollment/signedMessage.ts'
import { clean, readCertificateFacts } from './certificateFacts.ts'
import { signingProblem } from './problem.ts'

const text = v.pipe(v.string(), v.transform(clean), v.minLength(1), v.maxLength(500))

/** https://developer.apple.com/documentation/technotes/tn3125-inside-code-signing-provisioning-profiles */
const Profile = v.object({
  Name: text,
  UUID: text,
  TeamIdentifier: v.optional(v.array(text)),
  TeamName: v.optional(text),
  Platform: v.optional(v.pipe(v.array(text), v.maxLength(10))),
  CreationDate: v.optional(v.date()),
  ExpirationDate: v.date(),
  ProvisionedDevices: v.optional(v.pipe(v.array(text), v.maxLength(profileDevicesMax))),
  ProvisionsAllDevices: v.optional(v.boolean()),
  DeveloperCertificates: v.optional(v.pipe(v.array(v.instance(Uint8Array)), v.maxLength(certificatesMax))),
  Entitlements: v.optional(
    v.object({
      'application-identifier': v.optional(text),
      'com.apple.application-identifier': v.optional(text),
      'get-task-allow': v.optional(v.boolean()),
      'com.apple.security.get-task-allow': v.optional(v.boolean()),
    }),
  ),
})
type Profile = v.InferOutput<typeof Profile>

export interface ReadProfile {
  readonly facts: ProfileFacts
  readonly expiresAt: number
  /** The SHA-256 of each UDID, as devices have it. */
  readonly devices: readonly string[]
}

/** @throws Failure BAD_USER_INPUT */
export function readProfile(bytes: Uint8Array): ReadProfile {
  const message = readSignedMessage(bytes)
  if (message === undefined)
    throw signingProblem('dataBase64', 'is not a provisioning profile: it is not a signed CMS message.')
  const parsed = v.safeParse(Profile, parsePlist(message.content))
  if (!parsed.success) {
    const [issue] = parsed.issues
    throw signingProblem(
      'dataBase64',
      `is not a provisioning profile: ${v.getDotPath(issue) ?? 'its property list'} is missing or of another type.`,
    )
  }
  const profile = parsed.output
  const { Name: name, UUID: uuid, TeamIdentifier, TeamName, Platform = [], Entitlements = {} } = profile
  const devices = [...new Set((profile.ProvisionedDevices ?? []).map(hashUdid))]
  return {
    devices,
    expiresAt: profile.ExpirationDate.getTime(),
    facts: {
      name,
      uuid,
      type: typeOf(profile),
      teamId: TeamIdentifier?.[0] ?? null,
      teamName: TeamName ?? null,
      appId: Entitlements['application-identifier'] ?? Entitlements['com.apple.application-identifier'] ?? null,
      platforms: Platform,
      createdAt: profile.CreationDate?.getTime() ?? null,
      deviceCount: devices.length,
      certificates: (profile.DeveloperCertificates ?? []).flatMap(toCertificate),
    },
  }
}

/** The hash by which an enrolled device is identified: of the UDID in capitals. */
function hashUdid(udid: string): string {
  return createHash('sha256').update(udid.toUpperCase()).digest('hex')
}

function typeOf({ Entitlements = {}, ProvisionedDevices, ProvisionsAllDevices }: Profile): ProfileType {
  if (Entitlements['get-task-allow'] || Entitlements['com.apple.security.get-task-allow']) return 'DEVELOPMENT'
  if (ProvisionsAllDevices) return 'ENTERPRISE'
  return ProvisionedDevices === undefined ? 'APP_STORE' : 'AD_HOC'
}

function toCertificate(der: Uint8Array): ProfileFacts['certificates'] {
  try {
    const { commonName, sha1, sha256, notAfter } = readCertificateFacts(new X509Certificate(der), false)
    return [{ commonName, sha1, sha256, notAfter }]
  } catch {
    return []
  }
}

/**
 * Apple writes XML. Other formats are not read: the objects of a binary property list refer to each other, so 200 bytes can have more values
 * than any memory, and the parser would read all of them.
 */
function parsePlist(content: Uint8Array): unknown {
  const xml = Buffer.from(content).toString()
  if (!/^\s*</.test(xml))
    throw signingProblem('dataBase64', 'is not a provisioning profile: its property list is not XML.')
  try {
    return parse(xml)
  } catch {
    throw signingProblem('dataBase64', 'is not a provisioning profile: its property list is damaged.')
  }
}
