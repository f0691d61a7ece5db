/** The media types of files that builds often keep. Any other file has the general one. */
const types: Readonly<Record<string, string>> = {
  apk: 'application/vnd.android.package-archive',
  css: 'text/css',
  csv: 'text/csv',
  gz: 'application/gzip',
  html: 'text/html',
  ipa: 'application/octet-stream',
  jar: 'application/java-archive',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  txt: 'text/plain',
  xml: 'application/xml',
  zip: 'application/zip',
}

export function contentTypeOf(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return types[ending] ?? 'application/octet-stream'
}
