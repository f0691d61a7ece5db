/** The results of a run's slices, in a folder. A later command continues where an earlier one stopped. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlannedSlice } from './plan.ts'
import type { SliceResult } from './slice.ts'

export interface KeptSlice {
  readonly planned: PlannedSlice
  readonly result: SliceResult
}

interface Options {
  readonly seed: number
  readonly only?: string | undefined
  readonly topology?: string | undefined
  readonly count?: number | undefined
}

export class State {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Undefined if the folder has no run. */
  options(): Options | undefined {
    const path = join(this.#folder, 'run.json')
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Options) : undefined
  }

  begin(options: Options): void {
    mkdirSync(join(this.#folder, 'slices'), { recursive: true })
    this.#write('run.json', options)
  }

  keep(slice: KeptSlice): void {
    this.#write(join('slices', `${slice.planned.id}.json`), slice)
  }

  kept(): readonly KeptSlice[] {
    const folder = join(this.#folder, 'slices')
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as KeptSlice)
  }

  /** Writes the file completely or not at all. */
  #write(name: string, value: unknown): void {
    const path = join(this.#folder, name)
    writeFileSync(`${path}.new`, JSON.stringify(value, null, 2))
    renameSync(`${path}.new`, path)
  }
}
