/** The commands that send crash reports and dSYMs to a server. They run in any POSIX shell. */
import { quoteShell } from '../parts/quoteShell.ts'

const clientFile = 'signalbox-dsym.mjs'
/** An API key is shown only once, so the commands read it from the environment. */
export const keyCommand = 'export SIGNALBOX_API_KEY=svc_…'

/** @param server the origin of the server */
export function createDownloadCommand(server: string): string {
  return `curl -fsS ${quoteShell(`${server}/api/public/dsym/${clientFile}`)} -o ${clientFile}`
}

/** Uploads every dSYM in a folder with the name `build`. */
export function createUploadCommand(server: string): string {
  return `node ${clientFile} upload --server ${quoteShell(server)} 'build/**/*.dSYM'`
}

/**
 * Uploads the dSYMs with these UUIDs from a Mac: Xcode adds the UUIDs of the dSYMs in its archives to the index of Spotlight.
 * @param uuids at least one, each checked to be a UUID
 */
export function createUploadByUuidCommand(server: string, uuids: readonly string[]): string {
  const query = uuids.map((uuid) => `com_apple_xcode_dsym_uuids == ${uuid}`).join(' || ')
  return `node ${clientFile} upload --server ${quoteShell(server)} --dsym-paths "$(mdfind ${quoteShell(query)})"`
}

export function createReportCommand(server: string): string {
  const url = quoteShell(`${server}/api/public/crash-reports`)
  const headers = `-H "X-API-Key: $SIGNALBOX_API_KEY" -H 'Content-Type: application/octet-stream'`
  return `curl -sS ${url} ${headers} --data-binary @crash.ips`
}
