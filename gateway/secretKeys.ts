import { createHash } from 'node:crypto'
import type { SecretKeys } from './options.ts'

/** A name for a secret that says nothing of it; stored beside what was made under the secret. */
function keyIdOf(secret: Uint8Array): string {
  return createHash('sha256').update('signalbox key id').update(secret).digest('hex').slice(0, 16)
}

/** @param secret `APP_SECRET`, 32 bytes; @param previous `APP_SECRET_PREVIOUS`, whose sessions are still valid */
export function secretKeys(secret: Uint8Array, previous: Uint8Array | undefined): SecretKeys {
  const currentKeyId = keyIdOf(secret)
  return { currentKeyId, acceptedKeyIds: previous === undefined ? [currentKeyId] : [currentKeyId, keyIdOf(previous)] }
}
