/**
 * The values and bounds of signing assets. The console lists them too: this file imports nothing, so its script contains no schemas.
 */

export const signingAssetKinds = [
  'APPLE_CERTIFICATE',
  'PROVISIONING_PROFILE',
  'ANDROID_KEYSTORE',
  'APP_STORE_KEY',
] as const

export const signingAssetStatuses = ['EMPTY', 'ACTIVE', 'ARCHIVED'] as const

export const profileTypes = ['DEVELOPMENT', 'AD_HOC', 'APP_STORE', 'ENTERPRISE'] as const

export const keystoreFormats = ['PKCS12', 'JKS'] as const

export const keystoreEntryKinds = ['PRIVATE_KEY', 'CERTIFICATE'] as const

export type SigningAssetKind = (typeof signingAssetKinds)[number]
export type SigningAssetStatus = (typeof signingAssetStatuses)[number]
export type ProfileType = (typeof profileTypes)[number]
export type KeystoreFormat = (typeof keystoreFormats)[number]
export type KeystoreEntryKind = (typeof keystoreEntryKinds)[number]

/** The most bytes of one file. */
export const signingFileBytesMax = 1024 * 1024
/** The most bytes of the files that one build gets. They are in one message to its agent. */
export const signingBuildBytesMax = 2 * 1024 * 1024
/** The most assets that a build configuration names. */
export const signingAssetsMax = 20
/** The days before the expiry from which an asset is in the Action Center. */
export const signingExpiryDays = 30

/** The part of the names of the variables of an asset that names it: `RELEASE_KEY` for `Release key`. */
export function signingVariable(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
}
