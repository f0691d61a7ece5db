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

/** Finds the UUIDs whose symbols a dSYM has. */
export async function knownUuids(uuids: readonly string[], views: TypedViews): Promise<ReadonlySet<string>> {
  const ids = uuids.map((own) => idOfUuid('binaryImage', own))
  const rows = await views.getMany('binaryImage', ids)
  return new Set(uuids.filter((_, index) => rows.get(ids[index] ?? '')?.columns.status === 'KNOWN'))
}
