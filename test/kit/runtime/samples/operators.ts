/** Samples of what operators have seen. */
import { at } from './common.ts'
import type { AreaSamples } from './kindSamples.ts'

export const operators = {
  seenMarks: {
    init: { userId: 'usr_1', createdAt: at },
    events: {
      see: { itemIds: ['RUN_FAILED:run_1:a'], goneItemIds: [] },
      'see, with one that is gone': { itemIds: ['RUN_FAILED:run_2:a'], goneItemIds: ['RUN_FAILED:run_1:a'] },
    },
  },
} satisfies AreaSamples
