/** The buckets into which the time of a chart is divided. */
import * as v from 'valibot'
import { isTimeZone } from '../work/schedules/zoneOffsets.ts'
import { named } from './types.ts'

/** The most buckets in an answer. */
export const bucketsMax = 200
export const bucketSizes = ['MINUTE', 'FIVE_MINUTES', 'QUARTER_HOUR', 'HOUR', 'DAY', 'WEEK'] as const
export type BucketSize = (typeof bucketSizes)[number]

export const bucketSize = named(
  'BucketSize',
  `The length of the buckets of a time. The server chooses the shortest one that needs at most ${bucketsMax} buckets.`,
  v.picklist(bucketSizes),
)

export const timeZone = v.pipe(
  v.nullish(v.pipe(v.string(), v.check(isTimeZone, 'must be the name of an IANA time zone, such as Europe/Berlin'))),
  v.description(
    'The IANA time zone in which hours, days and weeks begin, such as `Europe/Berlin`. Weeks begin on Monday. Default: `UTC`.',
  ),
)
