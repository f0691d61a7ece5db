/**
 * The scale on which times are counted, so that percentiles of many runs can be added. Place 0 has the time zero. Place p has the times from
 * 1.1^(p-1) to below 1.1^p milliseconds. A percentile is the geometric middle of its place, so it differs from the exact one by less than 5 % (or
 * by less than a millisecond). A place is one byte: the last one has all times of more than a year.
 */
const step = Math.log(1.1)
const placesMax = 255

export function placeOf(ms: number): number {
  return ms <= 0 ? 0 : Math.min(placesMax, 1 + Math.floor(Math.log(ms) / step))
}

/** The number of times at each place. */
export type PlaceCounts = readonly number[]

export const noTimes: PlaceCounts = Array(placesMax + 1).fill(0)

/** @param places one byte for each time, in any order. A year may have millions, and an index is three times as fast as an iterator. */
export function countPlaces(places: Uint8Array): PlaceCounts {
  const counts = [...noTimes]
  for (let index = 0; index < places.length; index++) {
    const place = places[index] ?? 0
    counts[place] = (counts[place] ?? 0) + 1
  }
  return counts
}

export function addPlaces(counts: readonly PlaceCounts[]): PlaceCounts {
  return noTimes.map((_, place) => counts.reduce((sum, each) => sum + (each[place] ?? 0), 0))
}

/** The time that at least this share of the times does not exceed (nearest rank), in milliseconds. Null without times. */
export function percentile(counts: PlaceCounts, share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let left = Math.ceil(total * share)
  const place = counts.findIndex((count) => {
    left -= count
    return left <= 0
  })
  return middleOf(place)
}

function middleOf(place: number): number {
  return place === 0 ? 0 : Math.round(Math.exp(step * (place - 0.5)))
}
