/** The facts that Signalbox reads in the file of a signing asset. They are not secret. */
import * as v from 'valibot'
import { atMost, dateTime, id, int, named } from '../../core/types.ts'
import { keystoreEntryKinds, keystoreFormats, profileTypes } from './signingEnums.ts'

/** The most certificates of a profile, and entries of a keystore, that are kept. A file with more is refused. */
export const certificatesMax = 100
/** The most devices of a profile. Apple allows 100 of each product family. */
export const profileDevicesMax = 2_000

const nullableText = v.nullable(v.string())

export const signingCertificate = named(
  'SigningCertificate',
  'The certificate of an APPLE_CERTIFICATE.',
  v.object({
    commonName: nullableText,
    organization: nullableText,
    teamId: v.pipe(nullableText, v.description('The organizational unit of the subject, in which Apple has the team.')),
    serialNumber: v.pipe(v.string(), v.description('Hexadecimal.')),
    sha1: v.pipe(
      v.string(),
      v.description('The fingerprint, hexadecimal, by which `security` and `codesign` name the identity.'),
    ),
    sha256: v.pipe(v.string(), v.description('The fingerprint, hexadecimal.')),
    notBefore: dateTime,
    notAfter: dateTime,
    hasPrivateKey: v.pipe(
      v.boolean(),
      v.description('Whether the file has the private key of the certificate. Without it nothing can be signed.'),
    ),
  }),
)

export const profileType = named(
  'ProvisioningProfileType',
  'The use of a provisioning profile. DEVELOPMENT: a debugger may be attached. AD_HOC: only on its devices. APP_STORE: for the store. ENTERPRISE: on all devices.',
  v.picklist(profileTypes),
)

const profileCertificate = named(
  'ProvisioningProfileCertificate',
  'A certificate with which apps for a profile may be signed.',
  v.object({
    commonName: nullableText,
    sha1: v.string(),
    sha256: v.string(),
    notAfter: dateTime,
  }),
)

export const signingProfile = named(
  'SigningProfile',
  'The content of a PROVISIONING_PROFILE.',
  v.object({
    name: v.string(),
    uuid: v.string(),
    type: profileType,
    teamId: nullableText,
    teamName: nullableText,
    appId: v.pipe(nullableText, v.description('The app ID with its prefix. `*` means any app.')),
    platforms: atMost(10, v.string()),
    createdAt: v.nullable(dateTime),
    deviceCount: v.pipe(int, v.description('The number of devices in the profile.')),
    certificates: atMost(certificatesMax, profileCertificate),
  }),
)

export const signingKeystore = named(
  'SigningKeystore',
  'The content of an ANDROID_KEYSTORE.',
  v.object({
    format: named('KeystoreFormat', 'The format of a keystore.', v.picklist(keystoreFormats)),
    keyAlias: v.pipe(
      nullableText,
      v.description('The alias of the key for signing. Null if the keystore has several and none was chosen.'),
    ),
    entries: atMost(
      certificatesMax,
      named(
        'KeystoreEntry',
        'An entry of a keystore.',
        v.object({
          alias: v.string(),
          kind: named('KeystoreEntryKind', 'The kind of an entry of a keystore.', v.picklist(keystoreEntryKinds)),
          commonName: nullableText,
          sha256: v.pipe(nullableText, v.description('The fingerprint of its certificate. Null if it has none.')),
          notAfter: v.nullable(dateTime),
        }),
      ),
    ),
  }),
)

export const signingStoreKey = named(
  'SigningStoreKey',
  'The identity of an APP_STORE_KEY.',
  v.object({
    keyId: v.string(),
    issuerId: v.pipe(nullableText, v.description('Null for the key of an individual.')),
  }),
)

/** The most enrolled devices that an answer lists. */
export const listedDevicesMax = 200

export const signingDevices = named(
  'SigningDevices',
  'The enrolled devices, and whether a provisioning profile has them.',
  v.object({
    enrolledCount: v.pipe(int, v.description('The number of enrolled devices.')),
    includedCount: v.pipe(int, v.description('The number of those that are in the profile.')),
    devices: v.pipe(
      atMost(
        listedDevicesMax,
        named(
          'SigningDevice',
          'An enrolled device.',
          v.object({ deviceId: id, displayName: nullableText, product: nullableText, isIncluded: v.boolean() }),
        ),
      ),
      v.description('The devices that are not in the profile come first.'),
    ),
  }),
)

export const signingMatches = atMost(
  certificatesMax,
  named(
    'SigningMatch',
    'A stored certificate with which apps for a profile may be signed.',
    v.object({ signingAssetId: id, name: v.string(), sha256: v.string() }),
  ),
)

/** The most build configurations that an answer lists. */
export const listedUsesMax = 100

export const signingUses = named(
  'SigningUses',
  'The active build configurations that name a signing asset.',
  v.object({
    totalCount: int,
    configurations: atMost(
      listedUsesMax,
      named(
        'SigningUse',
        'A build configuration that names a signing asset.',
        v.object({ buildConfigurationId: id, name: v.string(), repositoryId: id }),
      ),
    ),
  }),
)

/** Times are milliseconds since 1970. */
export type CertificateFacts = {
  readonly commonName: string | null
  readonly organization: string | null
  readonly teamId: string | null
  readonly serialNumber: string
  readonly sha1: string
  readonly sha256: string
  readonly notBefore: number
  readonly notAfter: number
  readonly hasPrivateKey: boolean
}

export type ProfileFacts = {
  readonly name: string
  readonly uuid: string
  readonly type: (typeof profileTypes)[number]
  readonly teamId: string | null
  readonly teamName: string | null
  readonly appId: string | null
  readonly platforms: readonly string[]
  readonly createdAt: number | null
  readonly deviceCount: number
  readonly certificates: readonly Pick<CertificateFacts, 'commonName' | 'sha1' | 'sha256' | 'notAfter'>[]
}

export type KeystoreFacts = {
  readonly format: (typeof keystoreFormats)[number]
  readonly keyAlias: string | null
  readonly entries: readonly {
    readonly alias: string
    readonly kind: (typeof keystoreEntryKinds)[number]
    readonly commonName: string | null
    readonly sha256: string | null
    readonly notAfter: number | null
  }[]
}

export type StoreKeyFacts = { readonly keyId: string; readonly issuerId: string | null }

/** Exactly one of the four parts is not null. */
export type SigningFacts = {
  readonly teamId: string | null
  /** Null if it does not expire. */
  readonly expiresAt: number | null
  readonly certificate: CertificateFacts | null
  readonly profile: ProfileFacts | null
  readonly keystore: KeystoreFacts | null
  readonly storeKey: StoreKeyFacts | null
}
