import { webcrypto } from 'node:crypto'
import { CryptoEngine } from 'pkijs'

/** What CMS messages are signed and verified with. */
export const engine = new CryptoEngine({ name: 'node', crypto: webcrypto as Crypto })
