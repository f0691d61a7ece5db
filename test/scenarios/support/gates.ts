/** Commands that run until the test lets them go on, and say that they have begun. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Stage, until } from './stage.ts'

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

export function gate(stage: Stage, name = 'gate'): Gate {
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
