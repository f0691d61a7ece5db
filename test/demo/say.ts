/** Prints the demo's output. It uses colors only in a terminal. */
const colours = process.stdout.isTTY === true
const paint = (code: number, text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)
const begun = performance.now()
const clock = () => paint(90, `${((performance.now() - begun) / 1000).toFixed(1).padStart(5)} s`)

export const say = {
  step: (text: string) => console.log(`${clock()}  ${paint(1, text)}`),
  detail: (text: string) => console.log(`${clock()}    ${text}`),
  log: (title: string, text: string) => console.log(`${clock()}    ${paint(36, title.padEnd(18))} ${text}`),
  kept: (text: string) => console.log(`  ${paint(32, '✓')} ${text}`),
  broken: (text: string) => console.log(`  ${paint(31, '✗')} ${text}`),
}
