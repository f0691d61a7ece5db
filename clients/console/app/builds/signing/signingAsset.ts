/** A signing asset as the pages show it, and the operations on it. */
import { graphql, type ResultOf } from '../../data/graphql.ts'

export const assetRowFragment = graphql(`fragment SigningAssetRowFields on SigningAsset {
  id name kind status teamId expiresAt uses { totalCount }
}`)

export const assetFragment = graphql(`fragment SigningAssetFields on SigningAsset {
  id name variable kind status fileName size teamId expiresAt hasPassword revision createdAt updatedAt
  certificate { commonName organization teamId serialNumber sha1 sha256 notBefore notAfter hasPrivateKey }
  profile { name uuid type teamName appId platforms deviceCount certificates { commonName sha256 notAfter } }
  keystore { format keyAlias entries { alias kind commonName notAfter } }
  storeKey { keyId issuerId }
  devices { enrolledCount includedCount devices { deviceId displayName product isIncluded } }
  matchingCertificates { signingAssetId name sha256 }
  uses { totalCount configurations { buildConfigurationId name } }
}`)

export type SigningAsset = ResultOf<typeof assetFragment>
export type SigningAssetKind = SigningAsset['kind']

export const createMutation = graphql(
  'mutation ($input: CreateSigningAssetInput!) { createSigningAsset(input: $input) { signingAsset { id } } }',
)
export const replaceMutation = graphql(
  'mutation ($input: ReplaceSigningAssetInput!) { replaceSigningAsset(input: $input) { signingAsset { id } } }',
)
export const renameMutation = graphql(
  'mutation ($input: RenameSigningAssetInput!) { renameSigningAsset(input: $input) { signingAsset { id } } }',
)
export const archiveMutation = graphql(
  'mutation ($input: ArchiveSigningAssetInput!) { archiveSigningAsset(input: $input) { signingAsset { id } } }',
)

const endings: readonly (readonly [RegExp, SigningAssetKind])[] = [
  [/\.(p12|pfx)$/i, 'APPLE_CERTIFICATE'],
  [/\.(mobileprovision|provisionprofile)$/i, 'PROVISIONING_PROFILE'],
  [/\.(jks|keystore)$/i, 'ANDROID_KEYSTORE'],
  [/\.p8$/i, 'APP_STORE_KEY'],
]

/** Undefined if the name of the file does not show it. */
export function guessKind(fileName: string): SigningAssetKind | undefined {
  return endings.find(([ending]) => ending.test(fileName))?.[1]
}
