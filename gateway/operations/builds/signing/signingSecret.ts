/** The secret part of a signing asset: its file and its passwords, as one encrypted text. */
import * as v from 'valibot'
import { signingAssetMembers } from '../../../../machines/builds/signing/signingAssetKeys.ts'
import type { Binding } from '../../../secrets/sealing.ts'
import type { TypedViews } from '../../typedViews.ts'

const SigningSecret = v.object({
  dataBase64: v.string(),
  password: v.nullable(v.string()),
  keyAlias: v.nullable(v.string()),
  keyPassword: v.nullable(v.string()),
})
export type SigningSecret = v.InferOutput<typeof SigningSecret>

/** A signing asset is sent to no server. The name is reserved, so no server has it. */
export const bindingOfAsset = (owner: string): Binding => ({ owner, origin: 'https://signing-assets.invalid' })

/** The encrypted text. Undefined if the asset has none, because it was archived. */
export async function readSealed(id: string, views: Pick<TypedViews, 'members'>): Promise<string | undefined> {
  const [member] = await views.members(id, signingAssetMembers.sealed, 1)
  return typeof member?.value === 'string' ? member.value : undefined
}

export const printSecret = (secret: SigningSecret): string => JSON.stringify(secret)

export const parseSecret = (text: string): SigningSecret => v.parse(SigningSecret, JSON.parse(text))
