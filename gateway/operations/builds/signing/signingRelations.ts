/** The parts of a signing asset that other objects decide: its devices, the certificates that fit it, and who names it. */

import type * as v from 'valibot'
import { signingAssetMembers } from '../../../../machines/builds/signing/signingAssetKeys.ts'
import type { TypedRow } from '../../../../machines/rows.ts'
import type { signingAssetSchema } from '../../../../spec/builds/signing/signingAssets.ts'
import {
  listedDevicesMax,
  listedUsesMax,
  signingDevices,
  signingMatches,
  signingUses,
} from '../../../../spec/builds/signing/signingFacts.ts'
import { everyRow } from '../../core/everyRow.ts'
import { enrolledDevices } from '../../devices/devices.ts'
import type { Additions, GraphqlObject } from '../../objectType.ts'
import type { TypedViews } from '../../typedViews.ts'

type SigningAsset = v.InferInput<typeof signingAssetSchema>

/** The active build configurations that name one of these assets, by the ID of the asset. */
export async function findUses(
  ids: readonly string[],
  views: TypedViews,
): Promise<ReadonlyMap<string, readonly TypedRow<'buildConfiguration'>[]>> {
  const configurations = await everyRow(views, { kind: 'buildConfiguration', statuses: ['ACTIVE'] })
  return new Map(
    ids.map((id) => [id, configurations.filter(({ context: { signingAssets = [] } }) => signingAssets.includes(id))]),
  )
}

async function readDevices(id: string, views: TypedViews) {
  const [member] = await views.members(id, signingAssetMembers.devices, 1)
  const hashes = new Set(Array.isArray(member?.value) ? member.value : [])
  const enrolled = await everyRow(views, enrolledDevices)
  const all = enrolled.map(({ id: deviceId, init, context: { displayName, model } }) => ({
    deviceId,
    displayName,
    product: model?.product ?? null,
    isIncluded: hashes.has(init.udidHash),
  }))
  return {
    enrolledCount: all.length,
    includedCount: all.filter(({ isIncluded }) => isIncluded).length,
    devices: all.toSorted((a, b) => Number(a.isIncluded) - Number(b.isIncluded)).slice(0, listedDevicesMax),
  }
}

async function readMatches({ profile }: SigningAsset, views: TypedViews) {
  if (!profile) return []
  const fitting = new Set(profile.certificates.map(({ sha256 }) => sha256))
  const marks = [[['kind', 'APPLE_CERTIFICATE'] as const]]
  const assets = await everyRow(views, { kind: 'signingAsset', statuses: ['ACTIVE'], marks })
  return assets
    .flatMap(({ id: signingAssetId, context: { name, facts } }) => {
      const sha256 = facts?.certificate?.sha256
      return sha256 !== undefined && fitting.has(sha256) ? [{ signingAssetId, name, sha256 }] : []
    })
    .slice(0, signingMatches.pipe[1].metadata.most)
}

/** The parents of these relations are signing assets. */
const assetsOf = (parents: readonly GraphqlObject[]) => parents as unknown as readonly SigningAsset[]

export const signingRelations = {
  devices: {
    type: 'derived',
    output: signingDevices,
    nullable: true,
    description: 'Which enrolled devices a provisioning profile has. Null for another kind, and without its file.',
    load: async (parents, { views }) =>
      await Promise.all(
        assetsOf(parents).map(async ({ id, profile }) => (profile ? await readDevices(id, views) : null)),
      ),
  },
  matchingCertificates: {
    type: 'derived',
    output: signingMatches,
    nullable: false,
    description:
      'The active certificates with which apps for a provisioning profile may be signed. Empty for another kind.',
    load: async (parents, { views }) =>
      await Promise.all(assetsOf(parents).map(async (asset) => await readMatches(asset, views))),
  },
  uses: {
    type: 'derived',
    output: signingUses,
    nullable: false,
    description: 'The active build configurations that name it.',
    load: async (parents, { views }) => {
      const ids = assetsOf(parents).map(({ id }) => id)
      const uses = await findUses(ids, views)
      return ids.map((id) => {
        const rows = uses.get(id) ?? []
        return {
          totalCount: rows.length,
          configurations: rows.slice(0, listedUsesMax).map((row) => ({
            buildConfigurationId: row.id,
            name: row.context.name,
            repositoryId: row.init.repositoryId,
          })),
        }
      })
    },
  },
} as const satisfies Additions
