/** The address of a frame as its image was linked, which the symbol table has. */
import type { StoredImage } from '../threads/storedThreads.ts'

/** Images are smaller. An address that is not within so many bytes of its image has bits of pointer authentication, or is wrong. */
const mostImageBytes = 2n ** 32n

/**
 * Pointer authentication puts a signature into the highest bits of a return address. The number of bits for the address itself depends on the
 * system: 47 on macOS, 39 or 36 on iOS.
 */
const addressBits = [64, 47, 39, 36] as const

/** @returns undefined if the address is not in the image */
export function linkedAddress(
  address: bigint,
  { loadAddress, arch }: Pick<StoredImage, 'loadAddress' | 'arch'>,
  textAddress: bigint,
): bigint | undefined {
  // A report without load addresses has the addresses as linked.
  const base = loadAddress === undefined || loadAddress === null ? textAddress : BigInt(loadAddress)
  for (const bits of arch.startsWith('arm64') ? addressBits : [64]) {
    const offset = BigInt.asUintN(bits, address) - base
    if (offset >= 0n && offset < mostImageBytes) return textAddress + offset
  }
  return undefined
}
