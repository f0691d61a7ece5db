import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Asset } from '../../spec/pages/site.ts'

/** Below this size, in bytes, the header of a compressed response costs about as much as compression saves. */
const minCompressedBytes = 512

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)]

/** Returns a file for browsers, which is compressed at its first request. @param quality brotli's, from 0 to 11 */
export function createAsset(contentType: string, bytes: Uint8Array, quality: number): Asset {
  if (bytes.length < minCompressedBytes) return { contentType, bytes, compressed: {} }
  return {
    contentType,
    bytes,
    compressed: {
      br: once(() => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })),
      gzip: once(() => gzipped(bytes, { level: 9 })),
    },
  }
}

function once<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined
  return () => {
    created ??= create()
    return created
  }
}
