/** The header and the refusals that the routes for the bytes of artifacts share. */
import * as v from 'valibot'
import { int } from '../core/types.ts'
import type { Refusal } from '../rest/restRoute.ts'

export const epochHeader = { 'X-Agent-Epoch': 'The epoch of the present connection of the agent. Required.' }

export const wrongOffset: Refusal = {
  code: 'CONFLICT',
  extras: {
    offset: v.optional(v.pipe(int, v.description('The number of bytes that are stored. Continue there.'))),
  },
}

export const staleEpoch: Refusal = {
  code: 'STALE_EPOCH',
  extras: { epoch: v.pipe(int, v.description('The epoch of the present connection.')) },
}
