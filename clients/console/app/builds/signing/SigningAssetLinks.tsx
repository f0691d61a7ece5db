/** The signing assets of a build or a build configuration, by their names. */
import type { SigningAsset } from './signingAsset.ts'

export function SigningAssetLinks({ assets }: { readonly assets: readonly Pick<SigningAsset, 'id' | 'name'>[] }) {
  return (
    <>
      {assets.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={`/signing-assets/${id}`}>{name}</a>
        </span>
      ))}
    </>
  )
}
