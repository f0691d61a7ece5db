import type * as v from 'valibot'
import type { imageSchema } from '../../../spec/apps/binaryImages.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { idOfUuid } from '../../../spec/core/ids.ts'
import { sha256 } from '../core/hash.ts'
import type { TypedViews } from '../typedViews.ts'

export type BinaryImage = v.InferOutput<typeof imageSchema>

/** Converts UUIDs to upper case, as Apple writes them. @throws Failure BAD_USER_INPUT if one occurs twice */
export function distinctImages<I extends BinaryImage>(images: readonly I[]): I[] {
  const seen = new Set<string>()
  return images.map((image, index) => {
    const own = image.uuid.toUpperCase()
    if (seen.has(own)) {
      const field = `images.${index}.uuid`
      throw new Failure('BAD_USER_INPUT', `${field} occurs twice. Name each image once.`, { details: { field } })
    }
    seen.add(own)
    return { ...image, uuid: own }
  })
}

/** The key of a dSYM: no other one has the same UUIDs. */
export async function keyOfImages(images: readonly BinaryImage[]): Promise<string> {
  return await sha256(
    images
      .map(({ uuid }) => uuid)
      .sort()
      .join(),
  )
}

/** The symbols of images: whether a dSYM has them, and their revision. Images that do not exist are absent. */
export async function revisionsOf(
  uuids: readonly string[],
  views: Pick<TypedViews, 'getMany'>,
): Promise<ReadonlyMap<string, { readonly there: boolean; readonly revision: number }>> {
  const ids = uuids.map((own) => idOfUuid('binaryImage', own))
  const rows = await views.getMany('binaryImage', ids)
  return new Map(
    uuids.flatMap((own, index) => {
      const context = rows.get(ids[index] ?? '')?.context
      return context === undefined ? [] : [[own, { there: context.dsyms > 0, revision: context.revision }] as const]
    }),
  )
}
