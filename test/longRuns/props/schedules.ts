/** `npm run props:schedules`: a year, or the days in `--days`, of a random seed or the one in `--seed`. */
import { parseArgs } from 'node:util'
import { simulateSchedules } from './scheduleWorld.ts'

const { values } = parseArgs({ options: { days: { type: 'string', default: '365' }, seed: { type: 'string' } } })
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
process.stdout.write(`seed ${seed}\n`)
const began = performance.now()
const tally = await simulateSchedules({ seed, from: Date.UTC(2026, 0, 1), days: Number(values.days) })
const seconds = ((performance.now() - began) / 1_000).toFixed(1)
process.stdout.write(`${JSON.stringify(tally)} in ${seconds} s\n`)
