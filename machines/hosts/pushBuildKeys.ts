import { numberedId } from '../../spec/core/ids.ts'

/** The ID of the build request of a delivery's target, by the index of the target. A repeat creates none. */
export const pushBuildIdOf = (deliveryId: string, index: number): string =>
  numberedId('pushBuild', deliveryId, index + 1)
