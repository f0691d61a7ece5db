/** `npm run chaos:uploads`: cuts uploads and transfers, in equal parts on files, on a folder that two servers share, and on S3. The exit status is 0 only if nothing was found. */
import { parseArgs } from 'node:util'
import { uploadChaos } from './uploadChaos.ts'
import { blobPlaces } from './uploadStage.ts'

const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '0' },
    seed: { type: 'string' },
    place: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const places = blobPlaces.filter((place) => (values.place === undefined ? place !== 'swift' : place === values.place))
if (places.length === 0) throw new Error(`There is no place "${values.place}". Give one of: ${blobPlaces.join(', ')}.`)
const ending = new AbortController()
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => ending.abort())
console.log(`seed ${seed}: repeat this run with --seed ${seed}`)
let violations = 0
for (const place of places) {
  let last = performance.now()
  const share = (count: string) => Math.ceil(Number(count) / places.length)
  const result = await uploadChaos({
    ...{ seed, place, cuts: share(values.cuts), kills: share(values.kills), signal: ending.signal },
    onViolation: (text) => console.log(`  VIOLATION ${text}`),
    say: (line) => {
      if (performance.now() - last < 10_000) return
      last = performance.now()
      console.log(`  ${place}: ${line}`)
    },
  })
  violations += result.violations.length
  const MiB = 1024 * 1024
  console.log(
    `${place}: ${result.cuts} cuts (${result.kills} kills of servers) of ${result.uploads} uploads and ${result.transfers} transfers, ` +
      `${result.deleted} of the uploads deleted, ${Math.round(result.bytes / MiB)} MiB, ${Math.round(result.again / MiB)} MiB sent again, ` +
      `${result.leftovers} objects of S3 without a row, ${Math.round(result.seconds)} s`,
  )
  for (const kind of ['upload', 'source', 'target'] as const) {
    const most = (result.mostAgainPerCut[kind] / MiB).toFixed(1)
    console.log(`  ${kind}: ${JSON.stringify(result.counts[kind])}, at most ${most} MiB sent again after a cut`)
  }
}
console.log(violations === 0 ? 'nothing was found' : `${violations} violations with seed ${seed}`)
process.exit(violations === 0 ? 0 : 1)
