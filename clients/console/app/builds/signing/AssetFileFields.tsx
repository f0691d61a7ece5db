/** The file of a signing asset, chosen or dropped, and the fields of its kind. */
import { signingFileBytesMax } from '../../../../../spec/builds/signing/signingEnums.ts'
import { format, messages } from '../../messages.ts'
import { formatBytes } from '../../parts/formatBytes.ts'
import { Field, PasswordField } from '../../parts/forms/Field.tsx'
import { useFieldProblem } from '../../parts/forms/FormErrors.tsx'
import { useFieldId } from '../../parts/forms/fieldIds.ts'
import type { SigningAssetKind } from './signingAsset.ts'

const texts = messages.signing

interface AssetFileFieldsProps {
  readonly kind: SigningAssetKind
  onFile?(fileName: string): void
}

export function AssetFileFields({ kind, onFile }: AssetFileFieldsProps) {
  return (
    <>
      <FileField onFile={onFile} />
      {(kind === 'APPLE_CERTIFICATE' || kind === 'ANDROID_KEYSTORE') && (
        <PasswordField name="password" label={texts.password} isOfFile />
      )}
      {kind === 'ANDROID_KEYSTORE' && (
        <>
          <Field name="keyAlias" label={texts.keyAlias} hint={texts.keyAliasHint} maxLength={200} isOptional />
          <PasswordField name="keyPassword" label={texts.keyPassword} isOfFile />
        </>
      )}
      {kind === 'APP_STORE_KEY' && (
        <>
          <Field name="keyId" label={texts.keyId} hint={texts.keyIdHint} maxLength={20} isOptional />
          <Field name="issuerId" label={texts.issuerId} maxLength={36} isOptional />
        </>
      )}
    </>
  )
}

function FileField({ onFile }: { readonly onFile: ((fileName: string) => void) | undefined }) {
  const id = useFieldId('dataBase64')
  const problem = useFieldProblem('dataBase64')
  return (
    <div class="field file-drop">
      <label for={id}>{texts.file}</label>
      <input
        id={id}
        name="dataBase64"
        type="file"
        aria-invalid={problem !== ''}
        aria-describedby={problem === '' ? `${id}-hint` : `${id}-hint ${id}-problem`}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          const { files } = event.dataTransfer ?? {}
          if (!files?.[0]) return
          event.currentTarget.files = files
          onFile?.(files[0].name)
        }}
        onChange={({ currentTarget: { files } }) => {
          if (files?.[0]) onFile?.(files[0].name)
        }}
      />
      <p id={`${id}-hint`} class="hint">
        {format(texts.fileHint, { size: formatBytes(signingFileBytesMax) })}
      </p>
      {problem && (
        <p id={`${id}-problem`} class="problem">
          {problem}
        </p>
      )}
    </div>
  )
}
