/**
 * The members of a signing asset. They are stored as rows of their own, so that lists do not read them.
 * - `sealed`: the encrypted file and its passwords. It is deleted when the asset is archived.
 * - `devices`: the SHA-256 of each UDID in a provisioning profile, as devices have them (`udidHash`).
 */
export const signingAssetMembers = Object.freeze({ sealed: 'sealed', devices: 'devices' })
