import { ConnectionLost, messageOf } from '../failures.ts'
import type { Logger } from '../log.ts'
import { rotateAgentCredential } from '../operations.ts'
import type { CredentialStore } from './credential.ts'
import type { Uplink } from './uplink.ts'

const dayMs = 24 * 3_600_000
/** The most milliseconds between two checks of the age. */
const checkMs = 3_600_000

export interface RotationOptions {
  uplink: Uplink
  credentials: CredentialStore
  /** The age of the credential in days. 0 means never. */
  afterDays: number
  log: Logger
}

/**
 * Rotates an old credential, at the start of a session or during it. The new one is on disk before it is used, and the next connection
 * uses it. The old one is kept until the new one works, and the control plane keeps it valid.
 */
export function rotateCredential({ uplink, credentials, afterDays, log }: RotationOptions): void {
  if (afterDays === 0) return
  let notBefore = 0
  const rotate = async () => {
    if (performance.now() < notBefore) return
    try {
      if ((await credentials.ageInDays()) < afterDays) return
      notBefore = performance.now() + dayMs
      const { credential } = await uplink.ask(rotateAgentCredential, {})
      await credentials.writeNext(credential)
      log.info('The credential is changed.')
      uplink.reconnect()
    } catch (error) {
      if (error instanceof ConnectionLost) return
      notBefore = performance.now() + dayMs
      log.warn('The credential could not be changed; that is tried again tomorrow.', { reason: messageOf(error) })
    }
  }
  uplink.onSession((_session, ended) => {
    const timer = setInterval(() => void rotate(), Math.min(checkMs, afterDays * dayMs))
    ended.addEventListener('abort', () => clearInterval(timer), { once: true })
    void rotate()
  })
}
