/** Stores a signing asset. */
import { useMemo, useState } from 'preact/hooks'
import { signingAssetKinds } from '../../../../../spec/builds/signing/signingEnums.ts'
import { requestGraphql } from '../../data/request.ts'
import { messages } from '../../messages.ts'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { ChoiceField, Field } from '../../parts/forms/Field.tsx'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { navigate } from '../../router.ts'
import { AssetFileFields } from './AssetFileFields.tsx'
import { readAssetForm } from './readAssetForm.ts'
import { createMutation, guessKind, type SigningAssetKind } from './signingAsset.ts'

const texts = messages.signing

export function NewAssetDialog({ onClose }: { onClose(): void }) {
  const keys = useMemo(createRepeatKeys, [])
  const [kind, setKind] = useState<SigningAssetKind>('APPLE_CERTIFICATE')
  return (
    <ConfirmDialog
      title={texts.add}
      confirmLabel={texts.add}
      onClose={onClose}
      onConfirm={async (formData) => {
        const request = { name: String(formData.get('name')).trim(), kind, ...(await readAssetForm(formData)) }
        const { createSigningAsset } = await keys.send(request, (idempotencyKey) =>
          requestGraphql(createMutation, { input: { ...request, idempotencyKey } }),
        )
        navigate(`/signing-assets/${createSigningAsset.signingAsset.id}`)
      }}
    >
      <Field name="name" label={texts.name} hint={texts.nameHint} maxLength={60} />
      <ChoiceField
        name="kind"
        label={texts.kind}
        choices={Object.fromEntries(signingAssetKinds.map((one) => [one, texts.kinds[one]]))}
        value={kind}
        onChange={(value) => setKind(signingAssetKinds.find((one) => one === value) ?? kind)}
      />
      <AssetFileFields kind={kind} onFile={(fileName) => setKind(guessKind(fileName) ?? kind)} />
    </ConfirmDialog>
  )
}
