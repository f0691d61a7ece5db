import { transferMs } from '../../../spec/builds/deployments/transferTime.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { requireRow } from '../core/rows.ts'
import type { TypedViews } from '../typedViews.ts'

/** The file that the agent of a deployment downloads, and its transfer. Null if it needs none. @throws Failure UNAVAILABLE */
export async function readDeployedFile(deploymentId: string, views: TypedViews, now: number) {
  const { artifact, createdAt } = (await requireRow(views, 'deployment', deploymentId)).init
  if (artifact === null) return null
  const { name, size, sha256 } = artifact
  const transferId = siblingId('artifactTransfer', deploymentId)
  // The deployment creates the transfer by a message of its own, which the one for the job may overtake. A much older one was purged.
  if (now < createdAt + transferMs && (await views.get('artifactTransfer', transferId)) === undefined)
    throw new Failure('UNAVAILABLE', `The transfer ${transferId} is about to be created. Repeat the request.`, {
      details: { transferId },
      retryAfterMs: 200,
    })
  return { facts: { name, size, sha256 }, transferId }
}
