/**
 * Kills the server while it receives, verifies and indexes zips of dSYMs. Exit status 0 only if no acknowledged byte was lost and each zip was
 * indexed in full.
 * npm run chaos:dsyms -- [--kills 200] [--seed 1]
 */
import { parseArgs } from 'node:util'
import { sendUnderKills } from './sendUnderKills.ts'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
})
const result = await sendUnderKills({
  kills: Number(values.kills),
  seed: Number(values.seed),
  say: (line) => console.log(line),
})
const { kills, uploads, byStatus, restarted, sentAgain, problems } = result
const statuses = Object.entries(byStatus).map(([status, count]) => `${count} ${status}`)
console.log(
  `${kills} kills of the server (${statuses.join(', ')}), ${uploads} uploads, ${restarted} completed again after SERVER_RESTARTED, ` +
    `at most ${(sentAgain / 1024 ** 2).toFixed(1)} MiB sent again after a kill`,
)
for (const problem of problems) console.log(`FOUND ${problem}`)
process.exit(problems.length === 0 ? 0 : 1)
