/** The maximum number of runs or builds that use a worktree at the same time. 0: no limit. */
import * as v from 'valibot'
import { int } from '../core/types.ts'

export const concurrencyLimit = v.pipe(int, v.minValue(0), v.maxValue(32))
