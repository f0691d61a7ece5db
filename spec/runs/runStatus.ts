import * as v from 'valibot'
import { named } from '../core/types.ts'
import { runStatuses } from './runEnums.ts'

export const runStatus = named(
  'RunStatus',
  'The status of a run. SUCCEEDED, FAILED, CANCELED, TIMED_OUT, LOST and SKIPPED are final.',
  v.picklist(runStatuses),
)
