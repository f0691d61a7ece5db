/** Orders texts by their bytes in UTF-8: the same on every machine, in every language, and whatever the file system returns first. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
