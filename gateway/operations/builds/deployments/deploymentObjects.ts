import type * as v from 'valibot'
import type { TypedRow } from '../../../../machines/rows.ts'
import { deploymentLog } from '../../../../spec/builds/deployments/deploymentLogs.ts'
import {
  artifactTransferSchema,
  deployment,
  type deploymentSchema,
  deploymentStatusChanged,
  deployments,
} from '../../../../spec/builds/deployments/deployments.ts'
import { siblingId } from '../../../../spec/core/ids.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import { pageOfRows } from '../../core/connections.ts'
import { moment } from '../../core/moment.ts'
import { oneRow } from '../../core/oneRow.ts'
import { requireKind } from '../../core/replies.ts'
import { requireRow } from '../../core/rows.ts'
import { handle } from '../../handler.ts'
import type { Additions } from '../../objectType.ts'
import { readJobLog } from '../readJobLog.ts'

type DeploymentObject = v.InferInput<typeof deploymentSchema>
type TransferObject = v.InferInput<typeof artifactTransferSchema>

export function deploymentObject(row: TypedRow<'deployment'>): DeploymentObject {
  const { init, context, columns } = row
  const { artifact, destination } = init
  return {
    id: row.id,
    displayNumber: init.number,
    status: columns.status as DeploymentObject['status'],
    stopping: context.stopping && !columns.terminal,
    buildId: init.buildId,
    artifactId: artifact?.id ?? null,
    artifactPath: artifact?.path ?? null,
    sourceAgentId: init.sourceAgentId,
    targetAgentId: init.targetAgentId,
    destination: { kind: destination.kind, id: destination.id, name: destination.name },
    transferId: artifact === null ? null : siblingId('artifactTransfer', row.id),
    jobId: context.job.ready ? siblingId('job', row.id) : null,
    requestedById: init.requestedBy,
    problem: context.problem,
    exitCode: context.exit?.code ?? null,
    createdAt: toDateTime(row.createdAt),
    startedAt: moment(context.times.started),
    endedAt: moment(context.times.ended),
  }
}

export function transferObject(row: TypedRow<'artifactTransfer'>): TransferObject {
  const { init, context, columns } = row
  return {
    id: row.id,
    deploymentId: init.deploymentId,
    artifactId: init.artifactId,
    sourceAgentId: init.sourceAgentId,
    targetAgentId: init.targetAgentId,
    status: columns.status as TransferObject['status'],
    name: init.name,
    size: init.size,
    receivedBytes: context.received,
    problem: context.problem,
    createdAt: toDateTime(row.createdAt),
  }
}

/** A tool's answer has the transfer, because a model cannot select it. */
const transferForTools = {
  type: 'derived',
  output: artifactTransferSchema,
  nullable: true,
  description: 'The transfer of the file to its machine. Null if no file is deployed, or if the transfer is removed.',
  load: async (parents, { views }) => {
    const ids = parents.map(({ transferId }) => (typeof transferId === 'string' ? transferId : undefined))
    const rows = await views.getMany(
      'artifactTransfer',
      ids.filter((id) => id !== undefined),
    )
    return ids.map((id) => {
      const row = id === undefined ? undefined : rows.get(id)
      return row === undefined ? null : transferObject(row)
    })
  },
} as const satisfies Additions[string]

export const deploymentObjectHandlers = [
  handle(deployments, ['views'], {
    read: async ({ buildId, agentId, statuses, ...page }, { views }) => {
      const where = { ...(buildId ? { scopeId: buildId } : {}), ...(agentId ? { agentId } : {}) }
      const filter = { kind: 'deployment' as const, where, ...(statuses ? { statuses } : {}) }
      return await pageOfRows(views, filter, page, deploymentObject)
    },
  }),
  handle(deployment, ['views', 'presence'], {
    additions: { transfer: transferForTools },
    read: oneRow({ kind: 'deployment', fromRow: deploymentObject }),
  }),
  handle(deploymentStatusChanged, ['views'], {
    follow: async ({ deploymentId, buildId }, { views }) => {
      if (deploymentId) await requireRow(views, 'deployment', deploymentId)
      if (buildId) await requireRow(views, 'build', buildId)
      const where = { ...(deploymentId ? { id: deploymentId } : {}), ...(buildId ? { scopeId: buildId } : {}) }
      return { type: 'rows', kind: 'deployment', where, initial: deploymentId ? 'all' : 'none', endsWithActor: true }
    },
    payload: (item) => (item.type === 'row' ? deploymentObject(requireKind('deployment', item.row)) : undefined),
  }),
  handle(deploymentLog, ['views'], {
    read: async ({ deploymentId, ...input }, { views }) => {
      const { columns } = await requireRow(views, 'deployment', deploymentId)
      return { deploymentId, ...(await readJobLog(siblingId('job', deploymentId), input, columns.terminal, views)) }
    },
  }),
]
