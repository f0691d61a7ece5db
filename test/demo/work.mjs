// What the demo's runs carry out: it writes down when it began and ended, and says a few lines in between.
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const [record, title, lines, pause] = process.argv.slice(2)
const began = Date.now()
appendFileSync(record, `${JSON.stringify({ title, began })}\n`)
for (let line = 1; line <= Number(lines); line++) {
  console.log(`${title}: line ${line} of ${lines}`)
  await sleep(Number(pause))
}
appendFileSync(record, `${JSON.stringify({ title, began, ended: Date.now() })}\n`)
