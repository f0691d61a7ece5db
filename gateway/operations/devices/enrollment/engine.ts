import { webcrypto } from 'node:crypto'
import { CryptoEngine } from 'pkijs'

/** The crypto engine with which CMS messages are signed and verified. */
export const engine = new CryptoEngine({ name: 'node', crypto: webcrypto as Crypto })
