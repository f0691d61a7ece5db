/** Metrics of the differences between blobs and actors. Each is 0 in normal operation. */
import { Counter, type Registry } from 'prom-client'

export type BlobDifference = 'orphan' | 'lost' | 'leftover'

/** Returns a function that counts differences. */
export function blobDifferenceCounter(registry: Registry): (kind: BlobDifference, count: number) => void {
  const counter = new Counter({
    name: 'signalbox_blob_differences_total',
    help: 'Blobs without an actor that were removed (orphan), uploads whose bytes were lost (lost), and objects on S3 that belonged to no blob (leftover).',
    labelNames: ['kind'],
    registers: [registry],
  })
  for (const kind of ['orphan', 'lost', 'leftover']) counter.inc({ kind }, 0)
  return (kind, count) => counter.inc({ kind }, count)
}
