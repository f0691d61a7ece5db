/** Samples of saved views. */
import { at } from './common.ts'
import type { AreaSamples } from './kindSamples.ts'

export const views = {
  savedView: {
    init: {
      userId: 'usr_1',
      page: 'RUNS',
      name: 'Failed today',
      query: 'status=FAILED',
      columns: ['title', 'status'],
      createdAt: at,
    },
    events: {
      update: { name: 'Failed', query: 'status=FAILED&days=2', columns: ['title'] },
      'update as it is': { name: 'Failed today' },
      'update at revision 9': { name: 'Late', expectedRevision: 9 },
      delete: {},
      'delete at revision 9': { expectedRevision: 9 },
    },
  },
} satisfies AreaSamples
