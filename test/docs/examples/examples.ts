/** Carries out the examples of a document in their order, and compares what they answer with what the document shows. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { graphql } from '../../kit/program/graphql.ts'
import { type Block, blocksOf, flagOf, root } from './blocks.ts'
import type { DocumentProgram } from './documentProgram.ts'
import { difference } from './matches.ts'
import { Shell } from './shell.ts'

export interface ExamplesOptions {
  /** The folder in which shell blocks are executed. Default: the project's folder. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Further addresses of the document, and where they are here. */
  readonly here?: Readonly<Record<string, string>>
}

const withinMs = 30_000

/**
 * Blocks marked `run`: `sh` blocks share one terminal, `graphql` blocks are sent with the world's key, their variables taken from
 * what earlier ones kept (`keep=runId:createAgentRun.run.id`). `until` repeats one until it answers as shown; `take=3` follows a
 * subscription for so many payloads. Answers how many examples there were.
 */
export async function runExamples(
  path: string,
  world: DocumentProgram,
  options: ExamplesOptions = {},
): Promise<number> {
  const examples = new Examples(world, options)
  try {
    return await runBlocks(path, examples)
  } finally {
    examples.close()
  }
}

async function runBlocks(path: string, examples: Examples): Promise<number> {
  const blocks = blocksOf(path)
  let count = 0
  for (const [index, block] of blocks.entries()) {
    if (!block.flags.includes('run')) continue
    const next = blocks[index + 1]
    const shown = next?.flags.includes('answer') ? next : undefined
    try {
      await examples.run(block, shown)
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      throw new Error(`${path}:${block.line}: ${problem}`, { cause: error })
    }
    count++
  }
  return count
}

class Examples {
  readonly #world: DocumentProgram
  readonly #shell: Shell
  readonly #kept = new Map<string, unknown>()
  /** The document's addresses are those of a plain start; here the program listens elsewhere. */
  readonly #addresses: Readonly<Record<string, string>>

  constructor(world: DocumentProgram, { cwd = root, env = {}, here = {} }: ExamplesOptions) {
    this.#world = world
    this.#addresses = { 'http://localhost:3000': world.program.url, ...here }
    const key = world.key === undefined ? {} : { KEY: world.key, SIGNALBOX_KEY: world.key }
    this.#shell = new Shell({ folder: world.folder, cwd, env: { ...key, ...env } })
  }

  close(): void {
    this.#shell.close()
  }

  async run(block: Block, shown: Block | undefined): Promise<void> {
    const patience = block.flags.includes('until') ? withinMs : 0
    for (const giveUpAt = Date.now() + patience; ; await sleep(1_000)) {
      const problem = await this.#once(block, shown).catch((error: unknown) => {
        if (Date.now() >= giveUpAt) throw error
        return String(error)
      })
      if (problem === undefined) return
      if (Date.now() >= giveUpAt) assert.fail(problem)
    }
  }

  /** How the answer differs from the one shown. */
  async #once(block: Block, shown: Block | undefined): Promise<string | undefined> {
    const text = this.#here(block.text)
    if (block.language === 'sh') return compare(await this.#shell.run(text), shown)
    if (block.language !== 'graphql') throw new Error(`a block of ${block.language} can't be run`)
    const take = flagOf(block, 'take')
    const answer = take === undefined ? await this.#ask(text) : await this.#follow(text, Number(take))
    const problem = compare(JSON.stringify(answer), shown)
    if (problem === undefined) this.#keep(block, answer)
    return problem
  }

  #here(text: string): string {
    return Object.entries(this.#addresses).reduce((here, [shown, real]) => here.replaceAll(shown, real), text)
  }

  #variables(text: string): Record<string, unknown> {
    const names = [...text.matchAll(/\$(\w+)\s*:/g)].map((match) => match[1] ?? '')
    const unknown = names.filter((name) => !this.#kept.has(name))
    if (unknown.length > 0) throw new Error(`nothing was kept as ${unknown.join(', ')}`)
    return Object.fromEntries(names.map((name) => [name, this.#kept.get(name)]))
  }

  async #ask(text: string): Promise<unknown> {
    const { program, key } = this.#world
    const credential = key === undefined ? undefined : { 'X-API-Key': key }
    return await graphql(program.url, credential, text, this.#variables(text))
  }

  async #follow(query: string, count: number): Promise<unknown[]> {
    const { program, key } = this.#world
    const client = createClient({
      url: `${program.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'X-API-Key': key },
    })
    const late = setTimeout(() => void client.terminate(), withinMs)
    try {
      const payloads: unknown[] = []
      for await (const { data, errors } of client.iterate({ query, variables: this.#variables(query) })) {
        if (errors) throw new Error(errors[0]?.message)
        payloads.push(data)
        if (payloads.length === count) break
      }
      return payloads
    } finally {
      clearTimeout(late)
      await client.dispose()
    }
  }

  #keep({ flags }: Block, answer: unknown): void {
    for (const flag of flags.filter((one) => one.startsWith('keep='))) {
      const [name = '', path = ''] = flag.slice('keep='.length).split(':')
      let value = answer
      for (const part of path.split('.')) value = (value as Readonly<Record<string, unknown>> | undefined)?.[part]
      if (value === undefined) throw new Error(`the answer has nothing at ${path}`)
      this.#kept.set(name, value)
    }
  }
}

function compare(given: string, shown: Block | undefined): string | undefined {
  if (shown === undefined) return undefined
  if (shown.language === 'json') return difference(JSON.parse(shown.text), JSON.parse(given))
  return given.trim() === shown.text.trim() ? undefined : `it wrote\n${given}\nand the document shows\n${shown.text}`
}
