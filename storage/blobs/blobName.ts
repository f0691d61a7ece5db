const form = /^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/

/** Refuses what is no blob's name: one has no dots, so it can't leave its folder. @throws RangeError */
export function requireBlobName(name: string): void {
  if (!form.test(name) || name.length > 500) throw new RangeError('A blob name is of a-z, 0-9, _, - and /.')
}

/** The most blobs in a page of a folder. */
export const pageOfBlobs = 100
