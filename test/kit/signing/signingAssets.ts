/** Signing assets as a script stores them. */
import { mutate } from '../program/runs.ts'
import type { Ask } from '../program/testProgram.ts'

export interface SigningAssetView {
  readonly id: string
  readonly name: string
  readonly variable: string
  readonly kind: string
  readonly status: string
  readonly revision: number
  readonly expiresAt: string | null
}

const fields = 'signingAsset { id name variable kind status revision expiresAt }'

type Input = Readonly<Record<string, unknown>>

const withBytes = ({ bytes, ...input }: Input) => ({
  ...input,
  ...(Buffer.isBuffer(bytes) ? { dataBase64: bytes.toString('base64') } : {}),
})

/** @param input with `bytes` instead of `dataBase64` */
export async function storeAsset(ask: Ask, input: Input): Promise<SigningAssetView> {
  const made = await mutate<{ signingAsset: SigningAssetView }>(ask, 'createSigningAsset', withBytes(input), fields)
  return made.signingAsset
}

/** @param operation without its ending: `replace`, `rename`, `archive` */
export async function changeAsset(
  ask: Ask,
  operation: 'replace' | 'rename' | 'archive',
  input: Input,
): Promise<SigningAssetView> {
  return (await mutate<{ signingAsset: SigningAssetView }>(ask, `${operation}SigningAsset`, withBytes(input), fields))
    .signingAsset
}
