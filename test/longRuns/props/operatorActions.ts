/** `npm run props:operatorActions`: 10,000 worlds, or the number in `--runs`, of a random seed or the one in `--seed`. */
import { parseArgs } from 'node:util'
import { checkOperatorActions } from './operatorActionProperties.ts'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string' } } })
const began = performance.now()
const tally = await checkOperatorActions({
  runs: Number(values.runs),
  ...(values.seed ? { seed: Number(values.seed) } : {}),
})
const seconds = ((performance.now() - began) / 1_000).toFixed(1)
process.stdout.write(`${JSON.stringify(tally)} in ${seconds} s\n`)
