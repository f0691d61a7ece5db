import type { X509Certificate } from 'node:crypto'

/** Apple's chain from a device to its root has four. What is longer is work that somebody wants done. */
const longestChain = 4
const mostGiven = 8

/**
 * Whether a certificate is one of the trusted ones, or was issued by one of them, directly or through authorities that are given with
 * it. Dates are not looked at: the authority that signs Apple's devices, "Apple iPhone Device CA", expired in 2014 and still does.
 */
export function issuedBy(
  certificate: X509Certificate,
  trusted: readonly X509Certificate[],
  given: readonly X509Certificate[],
): boolean {
  const authorities = given.slice(0, mostGiven).filter(({ ca }) => ca)
  let reached = [certificate]
  for (let length = 0; length < longestChain; length++) {
    if (reached.some((one) => trusted.some((anchor) => one.raw.equals(anchor.raw) || issued(one, anchor)))) return true
    reached = authorities.filter((authority) => reached.some((one) => issued(one, authority)))
  }
  return false
}

function issued(certificate: X509Certificate, by: X509Certificate): boolean {
  try {
    return certificate.checkIssued(by) && certificate.verify(by.publicKey)
  } catch {
    // A key of a kind that can't verify.
    return false
  }
}
