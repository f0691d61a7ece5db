/**
 * Follows the log of a build of millions of lines through cuts of the connection and kills of the server. Exit status 0 only if each line
 * was received exactly once and in order.
 * npm run chaos:buildLog -- [--lines 10000000] [--kills 5] [--chunks 400]
 */
import { parseArgs } from 'node:util'
import { followBuildLog } from './followBuildLog.ts'

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '10000000' },
    kills: { type: 'string', default: '5' },
    chunks: { type: 'string', default: '400' },
  },
})
const result = await followBuildLog({
  lines: Number(values.lines),
  kills: Number(values.kills),
  chunksBetweenCuts: Number(values.chunks),
  say: (line) => console.log(line),
})
const { lines, chunks, cuts, kills, seconds, residentBytes, problems } = result
console.log(
  `${lines.toLocaleString('en')} lines in ${chunks.toLocaleString('en')} chunks, ${seconds.toFixed(0)} s, ${cuts} cuts of the follower, ` +
    `${kills} kills of the server, at most ${Math.round(residentBytes / 1024 ** 2)} MiB in its memory`,
)
for (const problem of problems) console.log(`FOUND ${problem}`)
process.exit(problems.length === 0 ? 0 : 1)
