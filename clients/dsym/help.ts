import { formatBytes } from './report/formatBytes.ts'
import { usualRetry } from './send/attempts.ts'
import { cleanUpMs } from './stop.ts'
import { zipBounds } from './zip/planZips.ts'

/** Bytes of one request. The server accepts no more. */
export const mostChunkBytes = 16 * 1024 * 1024
export const mostCompletionMinutes = 60
export const usualIdleSeconds = 60

export const help = `signalbox dsym upload — sends debug symbols (dSYMs) to Signalbox, which symbolicates crash reports with them.

  SIGNALBOX_API_KEY=svc_… node signalbox-dsym.mjs upload --server https://signalbox.example 'build/**/*.dSYM'

Each PATH is a path or a glob. A .dSYM folder is a bundle, another folder is searched for bundles, and a .zip file is sent
unchanged. A PATH that begins with ! excludes what other lines match, not bundles inside a matched folder. Bundles are sent in
dSYMs.zip, with only Contents/Info.plist and the files in Contents/Resources/DWARF. More than ${zipBounds.bundles} bundles or
${formatBytes(zipBounds.bytes)} are split into dSYMs-2.zip and so on.

  --server URL               the control plane                          SIGNALBOX_SERVER
                             the API key (only in the environment)      SIGNALBOX_API_KEY
  --dsym-paths LINES         more PATHs, one in a line; may be given    SIGNALBOX_DSYM_PATHS
                             several times
  --chunk-size BYTES         the bytes of one request, 1 to             SIGNALBOX_CHUNK_SIZE
                             ${mostChunkBytes} (${mostChunkBytes})
  --if-no-files-found WORD   warn or ignore (warn)                      SIGNALBOX_IF_NO_FILES_FOUND
  --header "NAME: VALUE"     an extra header of each request, such as   SIGNALBOX_HEADERS (one in a line)
                             the service token of an access layer;
                             may be given several times
  --temp-dir FOLDER          the folder for zips (that of the system)   SIGNALBOX_TEMP_DIR
  --max-attempts N           failed attempts in a row, 1 to 100 (${usualRetry.most})  SIGNALBOX_MAX_ATTEMPTS
  --request-timeout SECONDS  how long a connection may be silent,       SIGNALBOX_REQUEST_TIMEOUT
                             1 to 3600 (${usualIdleSeconds})
  --completion-timeout MIN   how long to wait for the indexing,         SIGNALBOX_COMPLETION_TIMEOUT
                             1 to ${mostCompletionMinutes} minutes (${mostCompletionMinutes})
  --help, --version

An option in the command line replaces its environment variable. PATHs and SIGNALBOX_DSYM_PATHS are used together.
A failed request is repeated after 1 s, 2 s, 4 s and so on to ${usualRetry.backOff.mostMs / 1_000} s, or after the time that the server asks for (at most ${usualRetry.mostRetryAfterMs / 60_000}
minutes). SIGINT and SIGTERM delete the unfinished upload and the zip within ${Math.ceil(cleanUpMs / 1_000)} seconds. A second signal ends the program at once.
Redirects are never followed. NODE_EXTRA_CA_CERTS names a file with the certificates of your own authority.
HTTPS_PROXY or HTTP_PROXY names a proxy, and NO_PROXY the servers that are reached without it.

Exit codes: 0 uploaded, or no dSYM found; 1 at least one zip was not uploaded; 2 wrong use; 130 SIGINT; 143 SIGTERM.
`
