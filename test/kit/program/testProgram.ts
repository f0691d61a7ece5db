/** The whole program with a folder of its own and an account with an API key, for the tests of one file. */

import { existsSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { type Credential, firstKey, GraphqlRefusal, graphql } from './graphql.ts'
import { freePorts, type Ports } from './ports.ts'
import { type Program, startProgram } from './program.ts'
import { until } from './until.ts'

export type Ask = <T>(query: string, variables?: Readonly<Record<string, unknown>>) => Promise<T>

export interface TestProgram {
  readonly folder: string
  readonly dataDir: string
  readonly ports: Ports
  readonly url: string
  readonly key: string
  /** GraphQL with the API key. @throws GraphqlRefusal */
  readonly ask: Ask
  /** Every answer of `ask` as text, refusals included. */
  readonly answers: string[]
  readonly program: Program
  /** Ends the program as a power cut would where it still runs, and starts it on the same data and ports. */
  restart(options?: { readonly env?: Readonly<Record<string, string>> }): Promise<Program>
  /** Called before the program is stopped, the last one first. */
  onEnd(end: () => Promise<unknown> | unknown): void
  /** @throws AggregateError with what failed, after everything was ended */
  end(): Promise<void>
}

interface TestProgramOptions {
  readonly env?: Readonly<Record<string, string>>
  /** `none`: there is no account yet, and no key. */
  readonly account?: 'first' | 'none'
}

export async function startTestProgram({ env = {}, account = 'first' }: TestProgramOptions = {}): Promise<TestProgram> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-scenario-')))
  const dataDir = join(folder, 'data')
  const ports = await freePorts()
  let program = await startProgram({ dataDir, ports, env })
  const { url } = program
  const key = account === 'first' ? await firstKey(url) : ''
  const answers: string[] = []
  const ends: (() => Promise<unknown> | unknown)[] = []
  return {
    folder,
    dataDir,
    ports,
    url,
    key,
    answers,
    get program() {
      return program
    },
    ask: (query, variables) => recorded(answers, graphql(url, { 'X-API-Key': key }, query, variables)),
    async restart({ env: other = env } = {}) {
      await program.kill()
      program = await startProgram({ dataDir, ports, env: other })
      return program
    },
    onEnd: (end) => void ends.unshift(end),
    async end() {
      // Everything is ended also after a failure: the process of the tests does not end while the program runs.
      const failures: unknown[] = []
      const removeFolder = () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
      for (const end of [...ends, () => program.stop(), removeFolder])
        try {
          await end()
        } catch (error) {
          failures.push(error)
        }
      if (failures.length > 0)
        throw new AggregateError(failures, `The test program did not end in order: ${inspect(failures)}`)
    },
  }
}

async function recorded<T>(answers: string[], asked: Promise<T>): Promise<T> {
  try {
    const data = await asked
    answers.push(JSON.stringify(data))
    return data
  } catch (error) {
    answers.push(error instanceof GraphqlRefusal ? JSON.stringify(error.errors) : String(error))
    throw error
  }
}

/** GraphQL with another credential. */
export function asWhom(url: string, credential: Credential | undefined): Ask {
  return (query, variables) => graphql(url, credential, query, variables)
}

export interface Refused {
  readonly code: string | undefined
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The refusal of something that must not be granted. */
export async function refusal(asked: Promise<unknown>): Promise<Refused> {
  try {
    const granted = await asked
    return { code: 'GRANTED', message: JSON.stringify(granted), details: {} }
  } catch (error) {
    if (!(error instanceof GraphqlRefusal)) throw error
    const [first] = error.errors
    return {
      code: error.code,
      message: first?.message ?? '',
      details: (first?.extensions?.details ?? {}) as Record<string, unknown>,
    }
  }
}

export interface Gate {
  /** For `sh`: ends when the gate is opened. */
  readonly command: string
  readonly begun: () => boolean
  untilBegun(): Promise<void>
  open(): Promise<void>
  /** The process that waits. */
  pid(): Promise<number>
}

let count = 0

export function gate(stage: TestProgram, name = 'gate'): Gate {
  count += 1
  const path = join(stage.folder, `${name}-${count}`)
  return {
    command: `echo $$ > ${path}.begun; while [ ! -e ${path}.open ]; do sleep 0.05; done; echo done`,
    begun: () => existsSync(`${path}.begun`),
    untilBegun: async () =>
      void (await until(`${name} ${count} to begin`, () => existsSync(`${path}.begun`) || undefined)),
    open: () => writeFile(`${path}.open`, ''),
    pid: async () => Number(await readFile(`${path}.begun`, 'utf8')),
  }
}
