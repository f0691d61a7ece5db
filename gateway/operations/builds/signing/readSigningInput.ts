import { signingFileBytesMax } from '../../../../spec/builds/signing/signingEnums.ts'
import { signingProblem } from './parse/problem.ts'
import type { SigningInput } from './parse/readSigningFile.ts'

interface GivenFile {
  readonly fileName: string
  readonly dataBase64: string
  readonly password?: string | null | undefined
  readonly keyAlias?: string | null | undefined
  readonly keyPassword?: string | null | undefined
  readonly keyId?: string | null | undefined
  readonly issuerId?: string | null | undefined
}

/** Reads the file of an input. An empty password counts as no password. @throws Failure BAD_USER_INPUT */
export function readSigningInput(given: GivenFile): SigningInput {
  const { fileName, dataBase64, password, keyAlias, keyPassword, keyId, issuerId } = given
  const isBase64 = dataBase64.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(dataBase64)
  if (!isBase64) throw signingProblem('dataBase64', 'is not base64 (RFC 4648, with padding and without line ends).')
  const bytes = Buffer.from(dataBase64, 'base64')
  if (bytes.length === 0 || bytes.length > signingFileBytesMax)
    throw signingProblem('dataBase64', `has ${bytes.length} bytes. It must have 1 to ${signingFileBytesMax}.`)
  return {
    fileName,
    bytes,
    password: password || null,
    keyAlias: keyAlias ?? null,
    keyPassword: keyPassword || null,
    keyId: keyId ?? null,
    issuerId: issuerId ?? null,
  }
}
