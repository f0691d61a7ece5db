/** `npm run props:workflows`: 10,000 histories, or the number in `--runs`, of a random seed or the one in `--seed`. */
import { parseArgs } from 'node:util'
import { checkWorkflows } from './workflows/workflowProperties.ts'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string' } } })
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
process.stdout.write(`seed ${seed}\n`)
const began = performance.now()
const tally = checkWorkflows({ runs: Number(values.runs), seed })
const seconds = ((performance.now() - began) / 1_000).toFixed(1)
process.stdout.write(`${JSON.stringify(tally)} in ${seconds} s\n`)
