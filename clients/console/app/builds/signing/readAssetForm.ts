/** Reads the file of a signing asset, and what belongs to its kind, from a form. */
import { signingFileBytesMax } from '../../../../../spec/builds/signing/signingEnums.ts'
import { ApiError } from '../../data/apiError.ts'
import { format, messages } from '../../messages.ts'
import { formatBytes } from '../../parts/formatBytes.ts'
import { FieldReader } from '../../parts/forms/fieldReader.ts'

const texts = messages.signing

interface AssetFileInput {
  readonly fileName: string
  readonly dataBase64: string
  readonly password?: string
  readonly keyAlias?: string
  readonly keyPassword?: string
  readonly keyId?: string
  readonly issuerId?: string
}

/** @throws ApiError if there is no file, or a too large one, before a request is sent */
export async function readAssetForm(formData: FormData): Promise<AssetFileInput> {
  const file = formData.get('dataBase64')
  if (!(file instanceof File) || file.size === 0) throw problemOfFile(texts.noFile)
  if (file.size > signingFileBytesMax)
    throw problemOfFile(format(texts.tooLarge, { size: formatBytes(file.size), max: formatBytes(signingFileBytesMax) }))
  const fields = new FieldReader(formData)
  // A space at the end of a password counts.
  const secret = (name: string) => (fields.lines(name) === '' ? {} : { [name]: fields.lines(name) })
  return {
    fileName: file.name,
    dataBase64: await encodeFile(file),
    ...secret('password'),
    ...fields.optional('keyAlias', 'keyAlias'),
    ...secret('keyPassword'),
    ...fields.optional('keyId', 'keyId'),
    ...fields.optional('issuerId', 'issuerId'),
  }
}

const problemOfFile = (message: string) => new ApiError('BAD_USER_INPUT', message, { field: 'dataBase64' })

function encodeFile(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(problemOfFile(texts.noFile))
    reader.readAsDataURL(file)
  })
}
