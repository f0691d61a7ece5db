/** Downloads a file. */
export function downloadFile(name: string, type: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read the URL by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
