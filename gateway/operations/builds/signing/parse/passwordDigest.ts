/** The derivation of keys from passwords in PKCS#12 (RFC 7292, appendix B), which Node does not have, and the limit of its cost. */
import { createHash, pbkdf2 } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'

/** The iterations that one file may demand. `keytool` and OpenSSL write files that demand less than a tenth of it. */
const iterationsMax = 2_000_000
/** About a millisecond. */
const iterationsInTurn = 1_000

/** A file demands more work than a real one. */
export class TooExpensive extends Error {
  override name = 'TooExpensive'
}

/** The work that the derivations of one file may still take. */
export class Budget {
  #left = iterationsMax

  /** @throws TooExpensive */
  spend(iterations: number): void {
    if (!Number.isSafeInteger(iterations) || iterations < 1) throw new TooExpensive('it has no number of iterations')
    this.#left -= iterations
    if (this.#left < 0) throw new TooExpensive(`it demands more than ${iterationsMax} iterations`)
  }
}

export interface Derivation {
  readonly salt: Uint8Array
  readonly iterations: number
}

/** `KEY`, `IV` and `MAC` of RFC 7292. */
type Purpose = 1 | 2 | 3

const sizes: Readonly<Record<string, { readonly output: number; readonly block: number }>> = {
  sha1: { output: 20, block: 64 },
  sha224: { output: 28, block: 64 },
  sha256: { output: 32, block: 64 },
  sha384: { output: 48, block: 128 },
  sha512: { output: 64, block: 128 },
}

/** The password as PKCS#12 has it: UTF-16 with a terminating zero. */
export function toBmpPassword(password: string): Buffer {
  return Buffer.from(`${password}\0`, 'utf16le').swap16()
}

/** @param password from `toBmpPassword` @throws TooExpensive */
export async function derivePkcs12(
  purpose: Purpose,
  password: Uint8Array,
  { salt, iterations }: Derivation,
  length: number,
  hash: string,
  budget: Budget,
): Promise<Buffer> {
  const { output, block } = sizes[hash] ?? { output: 20, block: 64 }
  const fill = (bytes: Uint8Array): Buffer =>
    Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes.length === 0 ? 0 : bytes)
  const diversifier = Buffer.alloc(block, purpose)
  const input = Buffer.concat([fill(salt), fill(password)])
  const parts: Buffer[] = []
  for (let made = 0; made < length; made += output) {
    budget.spend(iterations)
    let digest = createHash(hash).update(diversifier).update(input).digest()
    for (let round = 1; round < iterations; round++) {
      digest = createHash(hash).update(digest).digest()
      if (round % iterationsInTurn === 0) await nextTurn()
    }
    parts.push(digest)
    addToBlocks(input, Buffer.alloc(block, digest))
  }
  return Buffer.concat(parts).subarray(0, length)
}

/** Adds a number and 1 to each block of the input, modulo the size of a block. */
function addToBlocks(input: Buffer, addend: Buffer): void {
  for (let start = 0; start < input.length; start += addend.length) {
    let carry = 1
    for (let index = addend.length - 1; index >= 0; index--) {
      carry += (input[start + index] ?? 0) + (addend[index] ?? 0)
      input[start + index] = carry & 255
      carry >>= 8
    }
  }
}

const slowPbkdf2 = promisify(pbkdf2)

/** PBKDF2 in another thread. @throws TooExpensive */
export async function derivePbkdf2(
  password: Uint8Array,
  { salt, iterations }: Derivation,
  length: number,
  hash: string,
  budget: Budget,
): Promise<Buffer> {
  budget.spend(iterations)
  return await slowPbkdf2(password, salt, iterations, length, hash)
}
