/** The bytes after a run: each blob belongs to an actor, and each actor has its bytes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sweepBlobs } from '../../../../../gateway/operations/builds/uploads/blobSweep.ts'
import { FirstSeen } from '../../../../../gateway/operations/builds/uploads/firstSeen.ts'
import { withRowTypes } from '../../../../../gateway/operations/typedViews.ts'
import { uploadBlob, uploadBlobFolder } from '../../../../../spec/builds/uploads.ts'
import { everyBlob } from '../../../../kit/program/objects/everyBlob.ts'
import type { UploadStage } from '../uploadStage.ts'

/** The bytes of a deleted upload are removed by an effect, ms. */
const removalMs = 60_000

/**
 * Compares the blobs with the uploads that are READY, and runs the sweeps of the program as if two days had passed between them.
 * @returns the objects on S3 that belonged to no blob. A server that is killed between an object and its row leaves one
 */
export async function verifyBlobs(
  stage: UploadStage,
  ready: readonly string[],
  violate: (text: string) => void,
): Promise<number> {
  const { storage, system, blobs } = stage
  const expected = new Set(ready.map((id) => uploadBlob(id)))
  for (const until = Date.now() + removalMs; Date.now() < until; await sleep(200))
    if ((await everyBlob(blobs, uploadBlobFolder)).length <= expected.size) break
  const found = new Set((await everyBlob(blobs, uploadBlobFolder)).map(({ name }) => name))
  for (const name of found) if (!expected.has(name)) violate(`the blob ${name} belongs to no upload`)
  for (const name of expected) if (!found.has(name)) violate(`the upload of ${name} has no blob`)
  const firstSeen = new FirstSeen()
  const sweep = async (hours: number) => {
    const logs: string[] = []
    const log = (fields: unknown, text: string) => void logs.push(`${text} ${JSON.stringify(fields)}`)
    const result = await sweepBlobs({
      ...{ blobs, system: system.system, views: withRowTypes(storage.views) },
      clock: { now: () => Date.now() + hours * 3_600_000 },
      firstSeen,
      rawCrashReportRetentionDays: 90,
      log: { info: log, warn: log, error: log } as never,
    })
    // The sweep reports what it does not touch too, for example if no upload has its bytes.
    if (logs.length > 0) violate(`the sweep found ${JSON.stringify(result)}: ${logs.join('; ')}`)
    return result
  }
  // The first sweep sees what is left, the second one removes it a day later.
  await sweep(48)
  const { leftovers } = await sweep(96)
  const again = await sweep(96)
  if (again.leftovers > 0) violate(`a second sweep found ${again.leftovers} leftovers`)
  return leftovers
}
