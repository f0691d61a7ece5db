/**
 * The programs that test files need beside Node and git. A file that needs a missing program does not run, and `npm test` reports
 * it. `.ci/run` installs all of them.
 */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

interface Requirement {
  readonly program: string
  /** Debian's package. */
  readonly install: string
  /** Whether a file needs it, given the text of the file. */
  needs(text: string): boolean
}

const requirements: readonly Requirement[] = [
  { program: 'curl', install: 'curl', needs: (text) => text.includes('runExamples(') },
  {
    program: 'openssl',
    install: 'openssl',
    needs: (text) => /\b(execFile|execFileSync|spawn|spawnSync)\('openssl'|'docs\/devices\.md'/.test(text),
  },
]

export interface MissingProgram {
  readonly program: string
  readonly install: string
  /** Files that do not run without it. */
  readonly files: readonly string[]
}

/** @param read returns the text of a file */
export function missingPrograms(
  files: readonly string[],
  read: (file: string) => string,
  isInstalled: (program: string) => boolean = isOnPath,
): readonly MissingProgram[] {
  return requirements
    .filter(({ program }) => !isInstalled(program))
    .map(({ program, install, needs }) => ({ program, install, files: files.filter((file) => needs(read(file))) }))
    .filter((missing) => missing.files.length > 0)
}

/** Whether any of these test files drives a browser. */
export function needsBrowser(files: readonly string[]): boolean {
  return files.some((file) => file.startsWith('test/clients/console/'))
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}
