/** argon2id with OWASP's parameters: 19 MiB, two passes, one lane. */
import { hash, verify } from '@node-rs/argon2'
import type { PasswordHashing } from '../options.ts'

const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const argon2id: PasswordHashing = {
  hash: (password) => hash(password, parameters),
  verify: (hashed, password) => verify(hashed, password),
}
