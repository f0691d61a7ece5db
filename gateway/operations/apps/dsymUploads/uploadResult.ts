/** The result of an upload of dSYMs, as `complete` returns it. */
import { binaryImageMembers } from '../../../../machines/apps/binaryImageKeys.ts'
import { dsymUploadMembers } from '../../../../machines/apps/dsymUploadKeys.ts'
import type { TypedRow } from '../../../../machines/rows.ts'
import type { DsymUploadWarning } from '../../../../spec/apps/dsymUploads.ts'
import { idOfUuid } from '../../../../spec/core/ids.ts'
import { everyMember } from '../../core/members.ts'
import type { TypedViews } from '../../typedViews.ts'
import { nameOfDsym } from '../dsyms.ts'
import { dsymIdsOfDuplicate } from './findIndexed.ts'

type ReadViews = Pick<TypedViews, 'members' | 'getMany'>

/** @param upload is INDEXED or DUPLICATE */
export async function resultOf({ id, columns, context }: TypedRow<'dsymUpload'>, views: ReadViews) {
  const { duplicateOf } = context
  const ids = await dsymIdsOfDuplicate({ id, duplicateOf }, views)
  const rows = await views.getMany('dsym', ids)
  const dsyms = ids.flatMap((one) => rows.get(one) ?? [])
  const warnings = await views.members(duplicateOf ?? id, dsymUploadMembers.warning.prefix, everyMember)
  return {
    id,
    status: columns.status,
    ...(duplicateOf === null ? {} : { duplicateOf }),
    dsyms: dsyms.map(toIndexedDsym),
    warnings: warnings.map(({ value }) => value as DsymUploadWarning),
    crashesToSymbolicate: await countReports(dsyms, views),
  }
}

export function toIndexedDsym({ id, init }: TypedRow<'dsym'>) {
  const { bundleIdentifier = null, version, build, images } = init
  const name = nameOfDsym(init)
  return { id, name, bundleIdentifier, version, build, images: images.map(({ uuid, arch }) => ({ uuid, arch })) }
}

/** A crash report with calls in several of the images counts once. Also one that is symbolicated already: better symbols may have come. */
async function countReports(dsyms: readonly TypedRow<'dsym'>[], views: ReadViews): Promise<number> {
  const reports = new Set<string>()
  const uuids = new Set(dsyms.flatMap(({ init }) => init.images.map(({ uuid }) => uuid)))
  for (const uuid of uuids) {
    const members = await views.members(idOfUuid('binaryImage', uuid), binaryImageMembers.crash.prefix, everyMember)
    for (const { key } of members) reports.add(key)
  }
  return reports.size
}
