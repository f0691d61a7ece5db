import { Failure } from '../../../../../spec/core/failure.ts'

/** The field of the input that a file, or its absence of a part, contradicts. */
export type SigningField = 'dataBase64' | 'password' | 'keyAlias' | 'keyPassword' | 'keyId' | 'issuerId'

/** A problem of the input. It never contains a byte of the file or a password. */
export function signingProblem(field: SigningField, problem: string): Failure {
  // A form adds the end of the sentence itself.
  const details = { field, problem: problem.replace(/\.$/, '') }
  return new Failure('BAD_USER_INPUT', `${field} ${problem}`, { details })
}
