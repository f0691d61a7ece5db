/**
 * Decryption with RC2 (RFC 2268) in CBC mode. Keychain Access of macOS and `openssl pkcs12 -legacy` encrypt the certificates of a .p12 with
 * its 40-bit form, and the OpenSSL of Node does not have it. It protects nothing here: the file is encrypted with AES before it is stored.
 */

/** A permutation of the bytes, derived from the digits of pi. */
const piTable = Uint8Array.from(
  Buffer.from(
    [
      'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2',
      '179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82',
      '54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626',
      '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7',
      '08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec',
      'c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731',
      '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9',
      '0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad',
    ].join(''),
    'hex',
  ),
)

const pi = (index: number): number => piTable[index & 255] ?? 0

/** The 64 words of the expanded key. @param bits the effective bits of the key */
function expand(key: Uint8Array, bits: number): Uint16Array {
  const bytes = new Uint8Array(128)
  bytes.set(key.subarray(0, 128))
  const at = (index: number): number => bytes[index] ?? 0
  for (let index = key.length; index < 128; index++) bytes[index] = pi(at(index - 1) + at(index - key.length))
  const used = (bits + 7) >> 3
  bytes[128 - used] = pi(at(128 - used) & (255 >> (8 * used - bits)))
  for (let index = 127 - used; index >= 0; index--) bytes[index] = pi(at(index + 1) ^ at(index + used))
  return Uint16Array.from({ length: 64 }, (_, word) => at(2 * word) | (at(2 * word + 1) << 8))
}

const shifts = [1, 2, 3, 5] as const

/** Decrypts one block of four words in place. */
function decryptBlock(words: Uint16Array, key: Uint16Array): void {
  const at = (index: number): number => words[index & 3] ?? 0
  let next = 63
  const mix = () => {
    for (let index = 3; index >= 0; index--) {
      const shift = shifts[index as 0 | 1 | 2 | 3]
      const turned = (at(index) >> shift) | (at(index) << (16 - shift))
      const [one, two, three] = [at(index + 3), at(index + 2), at(index + 1)]
      words[index] = turned - (key[next--] ?? 0) - (one & two) - (~one & three)
    }
  }
  const mash = () => {
    for (let index = 3; index >= 0; index--) words[index] = at(index) - (key[at(index + 3) & 63] ?? 0)
  }
  for (let round = 0; round < 5; round++) mix()
  mash()
  for (let round = 0; round < 6; round++) mix()
  mash()
  for (let round = 0; round < 5; round++) mix()
}

/** @returns undefined if the padding is not right, because the key is wrong or the text is damaged */
export function decryptRc2(key: Uint8Array, iv: Uint8Array, text: Uint8Array): Buffer | undefined {
  if (text.length === 0 || text.length % 8 !== 0 || iv.length !== 8) return undefined
  const expanded = expand(key, key.length * 8)
  const plain = Buffer.alloc(text.length)
  const encrypted = Buffer.from(text)
  let previous = Buffer.from(iv)
  for (let start = 0; start < text.length; start += 8) {
    const block = encrypted.subarray(start, start + 8)
    const words = Uint16Array.from({ length: 4 }, (_, word) => block.readUInt16LE(2 * word))
    decryptBlock(words, expanded)
    for (let index = 0; index < 8; index++) {
      const byte = ((words[index >> 1] ?? 0) >> (8 * (index & 1))) & 255
      plain[start + index] = byte ^ (previous[index] ?? 0)
    }
    previous = block
  }
  const padding = plain.at(-1) ?? 0
  const isPadded = padding >= 1 && padding <= 8 && plain.subarray(-padding).every((byte) => byte === padding)
  return isPadded ? plain.subarray(0, -padding) : undefined
}
