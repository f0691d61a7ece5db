import { siblingId } from '../../../spec/core/ids.ts'
import { requireRow } from '../core/rows.ts'
import type { TypedViews } from '../typedViews.ts'

/** The file that the agent of a deployment downloads, and its transfer. Null if it needs none. */
export async function readDeployedFile(deploymentId: string, views: TypedViews) {
  const { artifact } = (await requireRow(views, 'deployment', deploymentId)).init
  if (artifact === null) return null
  const { name, size, sha256 } = artifact
  return { facts: { name, size, sha256 }, transferId: siblingId('artifactTransfer', deploymentId) }
}
