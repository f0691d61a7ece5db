/** The time for each part of the way of a deployment's file, ms: the upload, the wait for the machine, and the download. */
export const transferMs = 86_400_000
