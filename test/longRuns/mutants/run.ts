/**
 * `npm run mutants [name…]`: plants each fault and fails if the tests do not detect it. It takes some minutes. The everyday suite
 * tries those of the rules that need no PostgreSQL.
 */
import { judge, type Verdict } from './judge.ts'
import { mutants } from './mutants.ts'

const timeoutMs = 120_000

const names = process.argv.slice(2)
const chosen = names.length === 0 ? mutants : mutants.filter(({ name }) => names.includes(name))
const began = performance.now()

const verdicts = await judge(chosen, timeoutMs, ({ mutant, caughtBy, problem }) => {
  const rule = mutant.rule === undefined ? '' : ` (rule ${mutant.rule})`
  const outcome = caughtBy === undefined ? (problem === undefined ? 'SURVIVED' : 'NOT TRIED') : `caught by: ${caughtBy}`
  console.log(`${mutant.name}${rule}: ${outcome}`)
})

const uncaught = verdicts.filter(({ caughtBy }) => caughtBy === undefined)
const seconds = Math.round((performance.now() - began) / 1_000)
console.log(`\n${verdicts.length - uncaught.length} of ${verdicts.length} mutants caught in ${seconds} s`)
for (const verdict of uncaught) console.log(`\n${reportOf(verdict)}`)
if (uncaught.length > 0 || verdicts.length === 0) process.exitCode = 1

function reportOf({ mutant, problem }: Verdict): string {
  const { name, fault, file, tests } = mutant
  if (problem !== undefined) return `${name} could not be tried: ${problem}`
  return `${name} SURVIVED: ${fault} (${file}; not noticed by ${tests.map((one) => one.file).join(', ')})`
}
