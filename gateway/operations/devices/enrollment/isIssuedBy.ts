import type { X509Certificate } from 'node:crypto'

/** The maximum length of a chain. Apple's chain from a device to its root has four certificates. Longer ones only cause work. */
const longestChain = 4
const mostGiven = 8

/**
 * Whether a certificate is trusted, or was issued by a trusted one, directly or through the given authorities. Dates are not
 * checked: the authority that signs Apple's devices, "Apple iPhone Device CA", expired in 2014 and still signs.
 */
export function isIssuedBy(
  certificate: X509Certificate,
  trusted: readonly X509Certificate[],
  given: readonly X509Certificate[],
): boolean {
  const authorities = given.slice(0, mostGiven).filter(({ ca }) => ca)
  let reached = [certificate]
  for (let length = 0; length < longestChain; length++) {
    if (reached.some((one) => trusted.some((anchor) => one.raw.equals(anchor.raw) || isIssuer(one, anchor))))
      return true
    reached = authorities.filter((authority) => reached.some((one) => isIssuer(one, authority)))
  }
  return false
}

function isIssuer(certificate: X509Certificate, by: X509Certificate): boolean {
  try {
    return certificate.checkIssued(by) && certificate.verify(by.publicKey)
  } catch {
    // The type of the key does not support verification.
    return false
  }
}
