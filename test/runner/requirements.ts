/**
 * The programs that test files need beside Node, git and the project's packages. A file that needs a missing program does not run, and `npm test` reports
 * it. `.ci/run` installs all of them.
 */
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

interface Requirement {
  readonly program: string
  /** The command that installs it. */
  readonly install: string
  /** A path from the project's folder that exists if it is installed. Without it, the program is on the `PATH`. */
  readonly path?: string
  /** Whether a file needs it, given the text of the file. */
  needs(text: string): boolean
}

const requirements: readonly Requirement[] = [
  {
    program: 'curl',
    install: 'apt-get install curl',
    needs: (text) =>
      /\brunExamples\(|'mutation \{ createEnrollmentToken\([^']*\bcommand\b|blocksOf\('docs\/ci\/dsym-upload\.md'\)/.test(
        text,
      ),
  },
  {
    program: 'openssl',
    install: 'apt-get install openssl',
    needs: (text) => /\b(execFile|execFileSync|spawn|spawnSync)\('openssl'|'docs\/devices\.md'/.test(text),
  },
  {
    program: 'nginx',
    install: 'apt-get install nginx-light',
    needs: (text) => /^import .*from '[./\w]*\/nginx\.ts'$/m.test(text),
  },
  {
    program: 'swift-proxy-server',
    install: 'apt-get install swift-proxy swift-account swift-container swift-object memcached',
    needs: (text) => /^import .*from '[./\w]*\/swiftServer\.ts'$/m.test(text),
  },
  {
    program: 'haproxy',
    install: 'apt-get install haproxy',
    needs: (text) => /^import .*from '[./\w]*\/haproxy\.ts'$/m.test(text),
  },
  {
    program: 'tinyproxy',
    install: 'apt-get install tinyproxy-bin',
    needs: (text) => /^import .*from '[./\w]*\/tinyproxy\.ts'$/m.test(text),
  },
  {
    program: 'convert',
    install: 'apt-get install imagemagick',
    needs: (text) => /\brun\('convert'/.test(text),
  },
  {
    program: 'lcov',
    install: 'apt-get install make clang llvm libclang-rt-dev libc6-dev lcov',
    needs: (text) => /\blcov --summary\b/.test(text),
  },
  {
    program: 'clang-19',
    install: 'apt-get install clang-19 lld-19 llvm-19',
    needs: (text) =>
      /^(?:import|\}) .*from '[./\w]*\/(?:dsymFixtures|symbolFixtures|compileImage|readers\/readers)\.ts'$/m.test(text),
  },
  {
    program: 'python3',
    install: 'apt-get install python3',
    needs: (text) => /\b(execFileSync|run)\('python3'|\breadWithPython\(/.test(text),
  },
  {
    program: 'zipinfo',
    install: 'apt-get install unzip',
    needs: (text) => /\bexecFileSync\('(unzip|zipinfo)'/.test(text),
  },
  {
    program: 'zbarimg',
    install: 'apt-get install zbar-tools',
    needs: (text) => /\bspawnSync\('zbarimg'/.test(text),
  },
  {
    program: 'the stock coding CLIs',
    install: 'npm ci --prefix test/stockClis/packages --ignore-scripts',
    path: 'test/stockClis/packages/node_modules',
    needs: (text) => /^(?:import|\}) .*from '[./\w]*\/clis\.ts'$/m.test(text),
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
  isInstalled: (program: string, path?: string) => boolean = isFound,
): readonly MissingProgram[] {
  return requirements
    .filter(({ program, path }) => !isInstalled(program, path))
    .map(({ program, install, needs }) => ({ program, install, files: files.filter((file) => needs(read(file))) }))
    .filter((missing) => missing.files.length > 0)
}

/** Files outside the tests of the console that drive a browser. */
const browserFiles: ReadonlySet<string> = new Set([
  'test/stockClis/console.test.ts',
  'test/scenarios/builds/eventStreams.long.test.ts',
])

/** Whether any of these test files drives a browser. */
export function needsBrowser(files: readonly string[]): boolean {
  return files.some((file) => file.startsWith('test/clients/console/') || browserFiles.has(file))
}

function isFound(program: string, path?: string): boolean {
  return path === undefined ? isOnPath(program) : existsSync(join(root, path))
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
