/** The options of the command line and the environment. */
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { UsageError } from './failures.ts'
import { type PathLines, parsePathLines } from './find/pathLines.ts'
import { mostChunkBytes, mostCompletionMinutes, usualIdleSeconds } from './help.ts'
import { usualRetry } from './send/attempts.ts'
import type { ServerAccess } from './send/uploadApi.ts'

export interface UploadOptions {
  readonly access: ServerAccess
  readonly paths: PathLines
  readonly chunkSize: number
  readonly ifNoFilesFound: 'warn' | 'ignore'
  readonly temporaryFolder: string
  readonly maxAttempts: number
  readonly idleMs: number
  readonly completionMs: number
  /** A file to which a summary in Markdown is appended. */
  readonly summaryFile: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/** @throws UsageError, which names the option and the values that it can have */
export function readOptions(argv: readonly string[], env: Environment): UploadOptions | 'help' | 'version' {
  const { values, positionals } = parse(argv)
  if (values.help) return 'help'
  if (values.version) return 'version'
  const words = positionals[0] === 'dsym' ? positionals.slice(1) : positionals
  if (words[0] !== 'upload')
    throw new UsageError(
      words[0] === undefined
        ? 'The command is missing. It must be upload, for example: upload --server https://signalbox.example build/App.dSYM'
        : `The command is ${JSON.stringify(words[0])}. It must be upload.`,
    )
  const read = (name: keyof typeof values & string): Given | undefined => {
    const variable = `SIGNALBOX_${name.toUpperCase().replaceAll('-', '_')}`
    const value = values[name]
    const text = typeof value === 'string' ? value : env[variable]
    return text === undefined || text === '' ? undefined : { name: `--${name} (${variable})`, text }
  }
  const paths = parsePathLines(
    [...words.slice(1), ...(values['dsym-paths'] ?? []), env.SIGNALBOX_DSYM_PATHS ?? ''].join('\n'),
  )
  if (paths.included.length === 0)
    throw new UsageError(
      'No path is given. Give paths or globs after upload, with --dsym-paths or in SIGNALBOX_DSYM_PATHS (the input dsym_paths of the action), for example build/**/*.dSYM. A line that begins with ! only excludes.',
    )
  return {
    access: {
      server: readServer(read('server')),
      apiKey: readApiKey(env.SIGNALBOX_API_KEY),
      headers: readHeaders([...(env.SIGNALBOX_HEADERS ?? '').split(/\r?\n/), ...(values.header ?? [])]),
    },
    paths,
    chunkSize: readCount(read('chunk-size'), 'bytes', mostChunkBytes) ?? mostChunkBytes,
    ifNoFilesFound: readIfNoFilesFound(read('if-no-files-found')),
    temporaryFolder: resolve(read('temp-dir')?.text ?? env.RUNNER_TEMP ?? tmpdir()),
    maxAttempts: readCount(read('max-attempts'), 'attempts', 100) ?? usualRetry.most,
    idleMs: (readCount(read('request-timeout'), 'seconds', 3_600) ?? usualIdleSeconds) * 1_000,
    completionMs:
      (readCount(read('completion-timeout'), 'minutes', mostCompletionMinutes) ?? mostCompletionMinutes) * 60_000,
    summaryFile: env.GITHUB_STEP_SUMMARY || undefined,
  }
}

interface Given {
  readonly name: string
  readonly text: string
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const
  const texts = { type: 'string', multiple: true } as const
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        server: text,
        'dsym-paths': texts,
        'chunk-size': text,
        'if-no-files-found': text,
        header: texts,
        'temp-dir': text,
        'max-attempts': text,
        'request-timeout': text,
        'completion-timeout': text,
        help: { ...flag, short: 'h' },
        version: flag,
      },
    })
  } catch (error) {
    if (args.some((word) => word.startsWith('--api-key')))
      throw new UsageError(
        '--api-key is not an option, because other users of the machine can read command lines. Set SIGNALBOX_API_KEY.',
      )
    throw new UsageError(`${(error as Error).message.split('. ')[0]}. --help lists the options.`)
  }
}

/** @returns the URL without a slash at its end */
function readServer(given: Given | undefined): string {
  if (given === undefined)
    throw new UsageError('--server (SIGNALBOX_SERVER) is missing. Give a URL, for example https://signalbox.example.')
  const url = URL.canParse(given.text) ? new URL(given.text) : undefined
  // The value may have a password, so it is not shown.
  if ((url?.protocol !== 'http:' && url?.protocol !== 'https:') || url.username !== '' || url.password !== '')
    throw new UsageError(
      `${given.name} is not a URL of a server. It must begin with https:// or http:// and have no user and no password, for example https://signalbox.example.`,
    )
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function readApiKey(text: string | undefined): string {
  if (text === undefined || text === '')
    throw new UsageError('SIGNALBOX_API_KEY is missing. Create an API key, and store it as a secret of the CI.')
  const key = text.trim()
  if (!/^svc_[\w-]+$/.test(key))
    throw new UsageError(
      'SIGNALBOX_API_KEY is not an API key. It must begin with svc_ and have only letters, digits, _ and -.',
    )
  return key
}

/** The client sets them itself, or Node does. */
const reservedHeaders: ReadonlySet<string> = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'transfer-encoding',
  'upgrade',
  'upload-offset',
  'x-api-key',
])

function readHeaders(lines: readonly string[]): Readonly<Record<string, string>> {
  const headers = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line, index) => readHeader(line, index + 1))
  return Object.fromEntries(headers)
}

/** Messages name the position, because a line may be a secret. */
function readHeader(line: string, position: number): readonly [string, string] {
  const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*([\u0020-\u007e\u0080-\u00ff]+)$/.exec(line) ?? []
  if (name === '')
    throw new UsageError(
      `Header ${position} of --header (SIGNALBOX_HEADERS) is not a header. It must be NAME: VALUE, for example CF-Access-Client-Id: 1234.access.`,
    )
  if (reservedHeaders.has(name.toLowerCase()))
    throw new UsageError(
      `Header ${position} of --header (SIGNALBOX_HEADERS) is ${name}, which the client sets itself. Remove it.`,
    )
  return [name.toLowerCase(), value]
}

function readCount(given: Given | undefined, unit: string, most: number): number | undefined {
  if (given === undefined) return undefined
  const value = /^\d{1,12}$/.test(given.text) ? Number(given.text) : 0
  if (value >= 1 && value <= most) return value
  throw new UsageError(
    `${given.name} is ${JSON.stringify(given.text)}. It must be a whole number of ${unit} from 1 to ${most}.`,
  )
}

function readIfNoFilesFound(given: Given | undefined): 'warn' | 'ignore' {
  if (given === undefined) return 'warn'
  if (given.text === 'warn' || given.text === 'ignore') return given.text
  throw new UsageError(`${given.name} is ${JSON.stringify(given.text)}. It must be warn or ignore.`)
}
