/** Divides an upload into smaller requests after a proxy has refused one with status 413. */

/**
 * The smallest request. If a proxy refuses even this one, the upload fails. Each request costs a commit of the server. Filters such as
 * ModSecurity accept 128 KiB as installed.
 */
const leastBytes = 64 * 1024

/** @returns the most bytes of the next request. Undefined if no smaller request is tried */
export function smallerRequest(refusedBytes: number): number | undefined {
  return refusedBytes <= leastBytes ? undefined : Math.max(leastBytes, Math.floor(refusedBytes / 2))
}
