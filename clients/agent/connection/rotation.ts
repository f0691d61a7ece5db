import { messageOf } from '../failures.ts'
import type { Logger } from '../log.ts'
import { rotateAgentCredential } from '../operations.ts'
import type { CredentialStore } from './credential.ts'
import type { Uplink } from './uplink.ts'

/** Milliseconds until a failed rotation is repeated. */
const againMs = 24 * 3_600_000

export interface RotationOptions {
  uplink: Uplink
  credentials: CredentialStore
  /** The age of the credential in days. 0 means never. */
  afterDays: number
  log: Logger
}

/**
 * Rotates an old credential. The new one is on disk before it is used, and the next connection uses it. The old one is kept until the
 * new one works, and the control plane keeps it valid. Returns a function to call at the start of each session.
 */
export function rotation({ uplink, credentials, afterDays, log }: RotationOptions): () => Promise<void> {
  let notBefore = 0
  return async () => {
    try {
      if (afterDays === 0 || performance.now() < notBefore || (await credentials.ageInDays()) < afterDays) return
      notBefore = performance.now() + againMs
      const { credential } = await uplink.ask(rotateAgentCredential, {})
      await credentials.writeNext(credential)
      log.info('The credential is changed.')
      uplink.reconnect()
    } catch (error) {
      log.warn('The credential could not be changed; that is tried again tomorrow.', { reason: messageOf(error) })
    }
  }
}
