import { messageOf } from '../failures.ts'
import type { Logger } from '../log.ts'
import { rotateAgentCredential } from '../operations.ts'
import type { CredentialStore } from './credential.ts'
import type { Uplink } from './uplink.ts'

/** Milliseconds until a change that did not work is tried again. */
const againMs = 24 * 3_600_000

export interface RotationOptions {
  uplink: Uplink
  credentials: CredentialStore
  /** Age of the credential in days; 0 = never. */
  afterDays: number
  log: Logger
}

/**
 * Changes the credential when it is old: the new one is on the disk before it is used, and the next connection uses it. Until that
 * works the old one is kept, and the control plane keeps it valid. Returns a function to call at the start of each session.
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
