import type { Blobs } from '../../storage/ports/blobs.ts'
import type { EffectHandler } from '../outbox/dispatcher.ts'

export interface RemoveBlobPorts {
  readonly blobs: Pick<Blobs, 'remove'>
}

/** Deletes the blob of an actor that has ended. A repeat does nothing. */
export function removeBlob({ blobs }: RemoveBlobPorts): EffectHandler {
  return async ({ params }) => {
    const { name } = params as unknown as { readonly name: string }
    await blobs.remove(name)
    return undefined
  }
}
