import type { BlobEntry, Blobs } from '../../../../storage/ports/blobs.ts'

/** The blobs of a folder, in the order of their names. */
export async function everyBlob(blobs: Pick<Blobs, 'pages'>, folder: string): Promise<readonly BlobEntry[]> {
  const entries: BlobEntry[] = []
  for await (const page of blobs.pages(folder)) entries.push(...page)
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}
