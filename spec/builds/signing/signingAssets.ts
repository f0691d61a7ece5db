/** Signing assets: certificates, profiles and keys with which builds are signed. Their bytes and passwords are never returned. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../../core/connections.ts'
import { idempotencyKey } from '../../core/idempotencyKey.ts'
import { oneById } from '../../core/oneById.ts'
import { mutation, query } from '../../core/operation.ts'
import { expectedRevision } from '../../core/revision.ts'
import { dateTime, id, idOf, int, named, text } from '../../core/types.ts'
import { signingAssetKinds, signingAssetStatuses, signingFileBytesMax } from './signingEnums.ts'
import { signingCertificate, signingKeystore, signingProfile, signingStoreKey } from './signingFacts.ts'

export const signingAssetKind = named(
  'SigningAssetKind',
  'The kind of a signing asset. APPLE_CERTIFICATE: a .p12 with a certificate and its private key. PROVISIONING_PROFILE: a .mobileprovision or .provisionprofile. ANDROID_KEYSTORE: a keystore in the format PKCS12 or JKS. APP_STORE_KEY: a .p8 of App Store Connect.',
  v.picklist(signingAssetKinds),
)

export const signingAssetStatus = named(
  'SigningAssetStatus',
  'The status of a signing asset. EMPTY: its creation was interrupted before its bytes were stored. ARCHIVED: its bytes and passwords are destroyed.',
  v.picklist(signingAssetStatuses),
)

export const signingAssetSchema = named(
  'SigningAsset',
  'A certificate, a profile or a key with which builds are signed. Its bytes and passwords are encrypted and never returned.',
  v.object({
    id,
    name: v.string(),
    variable: v.pipe(
      v.string(),
      v.description(
        'The name in the variables of the steps: `SIGNALBOX_SIGNING_<variable>_PATH`. It follows from `name`.',
      ),
    ),
    kind: signingAssetKind,
    status: signingAssetStatus,
    fileName: v.pipe(v.nullable(v.string()), v.description('Null until the bytes are stored.')),
    size: v.pipe(v.nullable(int), v.description('Bytes. Null until they are stored.')),
    teamId: v.pipe(v.nullable(v.string()), v.description('The team at Apple. Null if the file has none.')),
    expiresAt: v.pipe(
      v.nullable(dateTime),
      v.description(
        'The time from which it cannot sign. For a keystore that of the chosen key, or the earliest. Null if it does not expire.',
      ),
    ),
    hasPassword: v.pipe(v.boolean(), v.description('Whether a password is stored with it.')),
    certificate: v.pipe(v.nullable(signingCertificate), v.description('Null for another kind.')),
    profile: v.pipe(v.nullable(signingProfile), v.description('Null for another kind.')),
    keystore: v.pipe(v.nullable(signingKeystore), v.description('Null for another kind.')),
    storeKey: v.pipe(v.nullable(signingStoreKey), v.description('Null for another kind.')),
    revision: int,
    createdById: v.pipe(id, v.description('The user or API key that created it.')),
    createdAt: dateTime,
    updatedAt: v.pipe(dateTime, v.description('The time of its last replacement, renaming or archiving.')),
  }),
)

export const signingAssets = query({
  name: 'signingAssets',
  description: 'Signing assets, newest first, without archived ones unless `statuses` names ARCHIVED.',
  access: 'people',
  tool: {
    group: 'builds',
    name: 'get_signing_assets',
    title: 'List signing assets',
    description:
      'Lists the certificates, profiles and keys with which builds are signed, newest first: name, kind, team and expiry. Their ' +
      'bytes and passwords are never returned. A build configuration names them by their IDs in `signingAssets`.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('SigningAsset', ['CREATED_AT']),
    kind: v.pipe(v.nullish(signingAssetKind), v.description('Returns only assets of this kind. Default: any.')),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(signingAssetStatus), v.maxLength(signingAssetStatuses.length))),
      v.description('Returns only assets with one of these statuses. Default: EMPTY and ACTIVE.'),
    ),
  }),
  output: connectionOf('SigningAsset', signingAssetSchema),
})

export const signingAsset = query({
  ...oneById('signingAsset', signingAssetSchema),
  tool: {
    group: 'builds',
    name: 'get_signing_asset',
    title: 'Get a signing asset',
    description:
      'Returns one signing asset by its ID (`sga_…`): the team, the expiry, the certificates, the app and the number of devices that ' +
      'its file contains. Its bytes and passwords are never returned.',
  },
})

const payload = (typeName: string) =>
  named(typeName, 'The signing asset after the change.', v.object({ signingAsset: signingAssetSchema }))

/** The variables of the steps follow from it, so it has only ASCII letters, digits and three signs. */
const assetName = v.pipe(
  text({ min: 1, max: 60 }),
  v.regex(
    /^[A-Za-z](?:[A-Za-z0-9 ._-]*[A-Za-z0-9])?$/,
    'must begin with a letter, must end with a letter or digit, and may have letters, digits, spaces, ".", "_" and "-" between them',
  ),
  v.description(
    'The name, from which the variables of the steps follow. Two assets that are not archived cannot have the same variables (CONFLICT).',
  ),
)

const secret = v.pipe(v.string(), v.maxLength(1_000, 'must have at most 1000 characters'), v.excludes('\0'))

/** Characters of `signingFileBytesMax` bytes in base64. */
const base64Max = Math.ceil(signingFileBytesMax / 3) * 4

/** Never part of a tool: the arguments of tools are in the transcript of a model. */
const fileFields = {
  fileName: v.pipe(
    text({ min: 1, max: 200 }),
    v.regex(/^[^/\\]+$/, 'must be the name of a file, without a path'),
    v.check((value) => !/^\.+$/.test(value), 'must be the name of a file'),
    v.description('The name that the file has in a build, such as `release.p12`.'),
  ),
  dataBase64: v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(base64Max, `must have at most ${signingFileBytesMax} bytes in base64`),
    v.description(`The bytes of the file in base64, at most ${signingFileBytesMax} bytes. They are never returned.`),
  ),
  password: v.pipe(
    v.nullish(secret),
    v.description('The password of an APPLE_CERTIFICATE or ANDROID_KEYSTORE. Default: the file has none.'),
  ),
  keyAlias: v.pipe(
    v.nullish(text({ min: 1, max: 200 })),
    v.description(
      'The alias of the key of an ANDROID_KEYSTORE. Default: its only key; null in the answer if it has several.',
    ),
  ),
  keyPassword: v.pipe(
    v.nullish(secret),
    v.description('The password of the key of an ANDROID_KEYSTORE. Default: `password`.'),
  ),
  keyId: v.pipe(
    v.nullish(v.pipe(text({ min: 1, max: 20 }), v.regex(/^[A-Z0-9]+$/, 'must be the ID of a key, such as 2X9R4HXF34'))),
    v.description('The ID of an APP_STORE_KEY. Default: that in the name of the file, `AuthKey_<ID>.p8`.'),
  ),
  issuerId: v.pipe(
    v.nullish(
      v.pipe(
        text({ min: 36, max: 36 }),
        v.regex(/^[0-9a-fA-F-]{36}$/, 'must be the UUID that App Store Connect shows'),
      ),
    ),
    v.description('The issuer ID of an APP_STORE_KEY. Default: none, as for the key of an individual.'),
  ),
}

export const createSigningAsset = mutation({
  name: 'createSigningAsset',
  description:
    'Stores a certificate, a profile or a key, encrypted. Its file is read: a wrong password or a file of another kind is refused (BAD_USER_INPUT, with `field`).',
  access: 'people',
  // Not a tool: the arguments and answers of tools are in the model's transcript.
  input: v.object({ name: assetName, kind: signingAssetKind, ...fileFields, idempotencyKey }),
  output: payload('CreateSigningAssetPayload'),
})

export const replaceSigningAsset = mutation({
  name: 'replaceSigningAsset',
  description:
    'Replaces the file and the passwords of a signing asset, for example by a renewed certificate. It keeps its ID, and builds that are accepted from then on get the new file. The former bytes are destroyed.',
  access: 'people',
  // Not a tool, for the same reason.
  input: v.object({ signingAssetId: idOf('signingAsset'), ...fileFields, expectedRevision, idempotencyKey }),
  output: payload('ReplaceSigningAssetPayload'),
})

export const renameSigningAsset = mutation({
  name: 'renameSigningAsset',
  description: 'Renames a signing asset. The names of its variables in later builds change with it.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'Rename a signing asset',
    description:
      'Renames a signing asset. The names of its variables in later builds change with it, so the steps that use them must change too.',
    idempotent: true,
  },
  input: v.object({ signingAssetId: idOf('signingAsset'), name: assetName, expectedRevision }),
  output: payload('RenameSigningAssetPayload'),
})

export const archiveSigningAsset = mutation({
  name: 'archiveSigningAsset',
  description:
    'Archives a signing asset and destroys its bytes and passwords. It is refused (FAILED_PRECONDITION) while active build configurations name it.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'Archive a signing asset',
    description:
      'Archives a signing asset and destroys its bytes and passwords, which cannot be restored. It is refused while active build ' +
      'configurations name it; the error lists them.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({ signingAssetId: idOf('signingAsset'), expectedRevision }),
  output: payload('ArchiveSigningAssetPayload'),
})
