/**
 * Sets how many bytes of a request head uWebSockets.js accepts. It reads this variable once, when its binary is loaded. It responds
 * to larger heads with a bare HTML 431, which this server cannot change. So this module must be imported first.
 */
import { createRequire } from 'node:module'
import { requestHeadMax } from '../../spec/core/limits.ts'

const name = 'UWS_HTTP_MAX_HEADERS_SIZE'

function isLoaded(): boolean {
  return Object.keys(createRequire(import.meta.url).cache).some((path) => /[\\/]uws_[^\\/]+\.node$/.test(path))
}

if (!isLoaded()) process.env[name] = String(requestHeadMax)
else if (Number(process.env[name] ?? 0) < requestHeadMax)
  throw new Error(
    `uWebSockets.js was loaded before Signalbox, so it refuses request heads that Signalbox accepts. Import Signalbox first, or start the process with ${name}=${requestHeadMax}.`,
  )
