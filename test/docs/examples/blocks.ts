/** The fenced blocks of a document. The words after a fence's language tell the tests how to use the block. Readers do not see them. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../../..')

export interface Block {
  /** `sh`, `graphql`, `json`, … */
  readonly language: string
  /** `run`: carry it out. `answer`: what the block before it must have answered. `file=…`: it is that file. */
  readonly flags: readonly string[]
  readonly text: string
  /** Of the fence, from 1. */
  readonly line: number
}

export function readDocument(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

export function blocksOf(path: string): readonly Block[] {
  const blocks: Block[] = []
  let open: { language: string; flags: readonly string[]; line: number; lines: string[] } | undefined
  for (const [index, text] of readDocument(path).split('\n').entries()) {
    const fence = /^```(.*)$/.exec(text)
    if (fence === null) open?.lines.push(text)
    else if (open === undefined) {
      const [language = '', ...flags] = (fence[1] ?? '').trim().split(/\s+/)
      open = { language, flags, line: index + 1, lines: [] }
    } else {
      const { lines, ...rest } = open
      blocks.push({ ...rest, text: lines.join('\n') })
      open = undefined
    }
  }
  if (open !== undefined) throw new Error(`${path}:${open.line} opens a block that is never closed`)
  return blocks
}

/** The value of a flag such as `take=3`. */
export function flagOf({ flags }: Block, name: string): string | undefined {
  return flags.find((flag) => flag.startsWith(`${name}=`))?.slice(name.length + 1)
}
