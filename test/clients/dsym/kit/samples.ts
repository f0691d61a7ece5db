/** Bundles whose zip is the same bytes on every machine. */
import { blockBytes } from '../../../../clients/dsym/zip/deflateBlock.ts'
import { makeBundle } from './bundles.ts'

/** Of the zip of the samples. It changes only if the client writes other bytes: then servers store the same dSYMs a second time. */
export const goldenSha256 = '98381f1ba3d4b4495e090334c8bc0e38e9313b44db7dbaf8afe477a28a35fedf'

/** Small, empty and non-ASCII files, one of more than two blocks, and two bundles of one name. */
export function makeSamples(folder: string): readonly string[] {
  return [
    makeBundle(folder, 'App.dSYM', { files: { App: 2 * blockBytes + 12_345, Empty: 0 } }),
    makeBundle(folder, 'Größe.framework.dSYM', { files: { Größe: 70_000 } }),
    makeBundle(folder, 'other/App.dSYM', { files: { App: 100 }, hasPlist: false }),
  ]
}
