/** The test files that failed in the last run, for `npm run test:again`. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** If more files failed, a busy machine is not the cause, and a second run would only repeat the failures. */
const mostFiles = 8

const pathIn = (root: string): string => join(root, 'node_modules/.cache/signalbox-tests/failed.json')

/** @param files paths from the project's folder; none if all passed */
export function storeFailedFiles(root: string, files: readonly string[]): void {
  const path = pathIn(root)
  rmSync(path, { force: true })
  if (files.length === 0) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(files, undefined, 2)}\n`)
}

/** @throws Error if no file failed, or too many did */
export function readFailedFiles(root: string): readonly string[] {
  let text: string
  try {
    text = readFileSync(pathIn(root), 'utf8')
  } catch {
    throw new Error('The last run of tests has no failed file. Run npm test or npm run test:long first.')
  }
  const files = JSON.parse(text) as readonly string[]
  if (files.length > mostFiles)
    throw new Error(
      `${files.length} files failed, and at most ${mostFiles} are run again. Run npm test or npm run test:long.`,
    )
  return files
}
