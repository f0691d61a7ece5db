/** Runs tests in a process of their own, with a fault in the source or without, and returns the results. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Lookout, type Mutant, project } from './mutant.ts'

export interface Trial {
  /** The number of tests that passed. */
  readonly passed: number
  /** The names of the tests that failed, in order. */
  readonly failed: readonly string[]
  readonly hung: boolean
  /** The end of the output. If no test ran, it has the reason. */
  readonly output: string
}

const plant = new URL('plant.ts', import.meta.url).href

/** @param timeoutMs after which it counts as hung, milliseconds */
export function trial({ file, only }: Lookout, mutant: Mutant | undefined, timeoutMs: number): Promise<Trial> {
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env
  const options = ['--test-reporter=tap', ...(only === undefined ? [] : [`--test-name-pattern=${only}`])]
  const child = spawn(process.execPath, ['--import', plant, ...options, file], {
    cwd: fileURLToPath(project),
    env: { ...environment, MUTANT: mutant?.name ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    let hung = false
    const timer = setTimeout(() => {
      hung = true
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGKILL'), 5_000).unref()
    }, timeoutMs)
    child.once('error', reject)
    child.once('close', () => {
      clearTimeout(timer)
      resolve({ ...read(output), hung, output: output.slice(-2_000) })
    })
  })
}

function read(output: string): Pick<Trial, 'passed' | 'failed'> {
  return {
    passed: Number(/^# pass (\d+)$/m.exec(output)?.[1] ?? 0),
    failed: [...output.matchAll(/^\s*not ok \d+ - (.*)$/gm)].map(([, name]) => name ?? ''),
  }
}

/** Runs all, two at a time, since the machines of these runs have two cores. */
export async function twoAtATime<T>(all: readonly T[], carryOut: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all]
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await carryOut(one)
  }
  await Promise.all([work(), work()])
}
