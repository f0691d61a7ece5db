import { project } from '../../mutants/mutant.ts'
import type { Patch } from './plants.ts'

export const sourceOf = ({ file }: Patch): URL => new URL(file, project)

/** @throws Error if the text to replace does not occur exactly once */
export function patched(source: string, { file, search, replace }: Patch): string {
  const places = source.split(search).length - 1
  if (places !== 1)
    throw new Error(`A plant looks for a text that occurs ${places} times in ${file}, not once: ${search}`)
  return source.replace(search, () => replace)
}
