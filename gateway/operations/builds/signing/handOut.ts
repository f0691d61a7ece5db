/** Hands the signing assets of a build to the agent that accepts its job. They are decrypted at that moment and stored nowhere. */
import type * as v from 'valibot'
import type { agentSigningAsset } from '../../../../spec/agents/jobs.ts'
import type { BuildConfigurationContent } from '../../../../spec/builds/configurationContent.ts'
import { signingBuildBytesMax, signingVariable } from '../../../../spec/builds/signing/signingEnums.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import type { RequestContext } from '../../requestContext.ts'
import { restrictingRun } from '../../tools/requestingRun.ts'
import type { TypedViews } from '../../typedViews.ts'
import { bindingOfAsset, parseSecret, readSealed } from './signingSecret.ts'

/** Why a build cannot have its signing assets. */
export interface SigningProblem {
  readonly code:
    | 'SIGNING_ASSET_UNAVAILABLE'
    | 'SIGNING_ASSET_EXPIRED'
    | 'SIGNING_ASSETS_TOO_LARGE'
    | 'SIGNING_ASSET_UNREADABLE'
    | 'AGENT_TOO_OLD'
  readonly message: string
}

export type HandedAsset = v.InferInput<typeof agentSigningAsset>

type Content = Pick<BuildConfigurationContent, 'signingAssets' | 'signingForRuns'>

/** The first problem of the assets, without a look at their bytes. Undefined if a build can have them now. */
export async function findSigningProblem(
  ids: readonly string[],
  { views, now }: Pick<RequestContext<'views'>, 'views' | 'now'>,
): Promise<SigningProblem | undefined> {
  if (ids.length === 0) return undefined
  const rows = await views.getMany('signingAsset', ids)
  let size = 0
  for (const id of ids) {
    const row = rows.get(id)
    if (row?.columns.status !== 'ACTIVE') {
      const state = row === undefined ? 'does not exist' : `is ${row.columns.status}`
      const name = row === undefined ? id : `"${row.context.name}" (${id})`
      return {
        code: 'SIGNING_ASSET_UNAVAILABLE',
        message: `The signing asset ${name} ${state}. Name another one in the build configuration.`,
      }
    }
    const { name, facts, file } = row.context
    const expiresAt = facts?.expiresAt ?? null
    if (expiresAt !== null && expiresAt <= now)
      return {
        code: 'SIGNING_ASSET_EXPIRED',
        message: `The signing asset "${name}" (${id}) expired at ${toDateTime(expiresAt)}. Replace its file by a renewed one.`,
      }
    size += file?.size ?? 0
  }
  if (size <= signingBuildBytesMax) return undefined
  return {
    code: 'SIGNING_ASSETS_TOO_LARGE',
    message: `The signing assets of the build have ${size} bytes together. A build can get ${signingBuildBytesMax}. Name fewer.`,
  }
}

/** @throws Failure FORBIDDEN, FAILED_PRECONDITION: so a build that cannot get its assets is not started */
export async function requireSigning(
  { signingAssets = [], signingForRuns = false }: Content,
  context: RequestContext<'views'>,
): Promise<void> {
  if (signingAssets.length === 0) return
  if (!signingForRuns && (await restrictingRun(context.principal, context.views)) !== undefined)
    throw new Failure(
      'FORBIDDEN',
      'The build configuration has signing assets, and does not give them to builds that runs request: the commit could print them. A person can start the build, or set `signingForRuns`.',
      { details: { field: 'signingForRuns' } },
    )
  const problem = await findSigningProblem(signingAssets, context)
  if (problem !== undefined)
    throw new Failure('FAILED_PRECONDITION', problem.message, { details: { code: problem.code } })
}

/**
 * A run may not give itself signing assets: neither name some in a configuration, nor change the steps that get them.
 * @throws Failure FORBIDDEN
 */
export async function refuseSigningOfRun(
  contents: readonly Content[],
  { principal, views }: RequestContext<'views'>,
): Promise<void> {
  if (contents.every(({ signingAssets = [], signingForRuns = false }) => signingAssets.length === 0 && !signingForRuns))
    return
  if ((await restrictingRun(principal, views)) === undefined) return
  throw new Failure(
    'FORBIDDEN',
    'Runs cannot change a build configuration that has signing assets, and cannot add any: its steps could print them. A person can.',
    { details: { field: 'signingAssets' } },
  )
}

/** @throws Failure NOT_FOUND, FAILED_PRECONDITION for assets that a configuration cannot name */
export async function requireNamedAssets(ids: readonly string[], context: RequestContext<'views'>): Promise<void> {
  const rows = await context.views.getMany('signingAsset', ids)
  for (const id of ids) {
    const row = rows.get(id)
    if (row === undefined)
      throw new Failure('NOT_FOUND', `signingAssets: there is no signing asset ${id}.`, {
        details: { field: 'signingAssets', id },
      })
    if (row.columns.status === 'ACTIVE') continue
    throw new Failure(
      'FAILED_PRECONDITION',
      `signingAssets: "${row.context.name}" (${id}) is ${row.columns.status}. Name one that is ACTIVE.`,
      { details: { field: 'signingAssets', id, state: row.columns.status } },
    )
  }
}

/** The files and passwords of the assets, in their order, or why a build cannot have them. */
export async function openSigningAssets(
  ids: readonly string[],
  context: RequestContext<'views' | 'secrets'>,
): Promise<{ readonly assets: readonly HandedAsset[] } | { readonly problem: SigningProblem }> {
  const problem = await findSigningProblem(ids, context)
  if (problem !== undefined) return { problem }
  const assets: HandedAsset[] = []
  for (const id of ids) {
    const asset = await openAsset(id, context)
    if (asset === undefined)
      return {
        problem: {
          code: 'SIGNING_ASSET_UNREADABLE',
          message: `The signing asset ${id} cannot be decrypted: APP_SECRET was changed, and APP_SECRET_PREVIOUS is not the former one. Replace its file.`,
        },
      }
    assets.push(asset)
  }
  return { assets }
}

async function openAsset(
  id: string,
  { views, secrets }: { readonly views: TypedViews; readonly secrets: RequestContext<'secrets'>['secrets'] },
): Promise<HandedAsset | undefined> {
  const row = await views.get('signingAsset', id)
  const sealed = await readSealed(id, views)
  if (row === undefined || sealed === undefined) return undefined
  const opened = secrets.open('signingAsset', sealed, bindingOfAsset(id))
  if (opened.type !== 'opened') return undefined
  const { name, file, facts } = row.context
  return {
    signingAssetId: id,
    name,
    variable: signingVariable(name),
    kind: row.init.kind,
    fileName: file?.fileName ?? 'file',
    ...parseSecret(opened.secret),
    keyId: facts?.storeKey?.keyId ?? null,
    issuerId: facts?.storeKey?.issuerId ?? null,
    profileUuid: facts?.profile?.uuid ?? null,
  }
}
