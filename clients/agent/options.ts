import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { AgentFailure, exitCodes } from './failures.ts'

/** The coding CLIs that the agent offers. */
export interface CliChoice {
  /** CLIs by name: `acp:<command>` or `plain:<command>`. */
  named: Record<string, string>
  /** Offer the known CLIs that are installed, too. */
  detect: boolean
}

/** Options from the command line and the environment. If an option has no value there, the state folder's `config.json` provides it. */
export interface Options {
  stateDir: string
  server?: string | undefined
  token?: string | undefined
  name?: string | undefined
  roots: string[]
  /** Undefined: no `--cli` was given. */
  clis?: CliChoice | undefined
  stopJobs: boolean
  untilStdinCloses: boolean
  rotateAfterDays: number
  /**
   * Milliseconds for which a credential that the control plane does not have is tried. It is not in the help: only the local agent and
   * the tests set it.
   */
  unknownCredentialMs?: number | undefined
}

export const help = `signalbox-agent — runs the work of a Signalbox control plane on this machine.

First start:   SIGNALBOX_TOKEN=enroll_… node signalbox-agent.mjs --server https://signalbox.example --root ~/code --cli detect
Later starts:  node signalbox-agent.mjs

  --server URL         the control plane                         SIGNALBOX_SERVER
  --token enroll_…     a one-time enrollment token                SIGNALBOX_TOKEN
  --name NAME          what this machine is called there         SIGNALBOX_NAME
  --state DIR          where the agent keeps its credential      SIGNALBOX_STATE
                       and its jobs (~/.signalbox-agent)
  --root DIR           a folder with git repositories; may be    SIGNALBOX_ROOTS (separated by :)
                       given several times (the folder of the
                       first start)
  --cli NAME=COMMAND   a coding CLI; COMMAND begins with acp:    SIGNALBOX_CLIS (separated by ;)
                       (Agent Client Protocol) or plain:
  --cli detect         the known coding CLIs that are installed
  --stop-jobs          a stop ends running jobs too              SIGNALBOX_STOP_JOBS=1
                       (else they go on and are taken up again)
  --rotate-days N      age at which the credential is changed    SIGNALBOX_ROTATE_DAYS
                       (30; 0 = never)
  --until-stdin-closes stop when standard input is closed
  --help, --version

The agent connects outward only and listens on no port. SIGTERM or SIGINT stop it, a second one ends its jobs too.
Exit codes: 0 stopped, 1 unexpected, 2 wrong use, 3 credential or token refused, 4 another agent uses the state folder.
`

/** `--cli detect` */
const detectWord = 'detect'

type Environment = Record<string, string | undefined>

/** Throws AgentFailure with a sentence that contains the setting and a valid example. */
export function readOptions(argv: string[], env: Environment): Options | 'help' | 'version' {
  const values = parse(argv)
  if (values.help) return 'help'
  if (values.version) return 'version'
  const server = values.server ?? env.SIGNALBOX_SERVER
  const token = values.token ?? env.SIGNALBOX_TOKEN
  const roots = values.root ?? env.SIGNALBOX_ROOTS?.split(':').filter(Boolean) ?? []
  const clis = values.cli ?? env.SIGNALBOX_CLIS?.split(';').filter(Boolean) ?? []
  return {
    stateDir: resolve(expandHome(values.state ?? env.SIGNALBOX_STATE ?? join(homedir(), '.signalbox-agent'))),
    server: server === undefined ? undefined : readServer(server),
    token: token === undefined || token === '' ? undefined : readToken(token),
    name: values.name ?? env.SIGNALBOX_NAME,
    roots: roots.map((root) => resolve(expandHome(root))),
    clis: clis.length === 0 ? undefined : readClis(clis),
    stopJobs: values['stop-jobs'] ?? env.SIGNALBOX_STOP_JOBS === '1',
    untilStdinCloses: values['until-stdin-closes'] ?? false,
    rotateAfterDays: readDays(values['rotate-days'] ?? env.SIGNALBOX_ROTATE_DAYS ?? '30'),
    unknownCredentialMs:
      env.SIGNALBOX_UNKNOWN_CREDENTIAL_MS === undefined ? undefined : Number(env.SIGNALBOX_UNKNOWN_CREDENTIAL_MS),
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        server: { type: 'string' },
        token: { type: 'string' },
        name: { type: 'string' },
        state: { type: 'string' },
        root: { type: 'string', multiple: true },
        cli: { type: 'string', multiple: true },
        'stop-jobs': { type: 'boolean' },
        'rotate-days': { type: 'string' },
        'until-stdin-closes': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    throw usage(`${(error as Error).message.split('. ')[0]}; --help shows what there is.`)
  }
}

/** Returns the address without a slash at its end. */
function readServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw usage('--server (SIGNALBOX_SERVER) must be a web address, for example --server https://signalbox.example.')
  }
  if (url.username || url.password)
    throw usage('--server must not hold a user or a password; the agent has its own credential.')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function readToken(text: string): string {
  if (/^enroll_[A-Za-z0-9_-]+$/.test(text)) return text
  throw usage(
    '--token (SIGNALBOX_TOKEN) must be a one-time token that begins with enroll_; make one with createEnrollmentToken.',
  )
}

function readClis(texts: readonly string[]): CliChoice {
  const named = texts.filter((text) => text !== detectWord)
  return { named: Object.fromEntries(named.map(readCli)), detect: named.length < texts.length }
}

function readCli(text: string): [string, string] {
  const match = /^([A-Za-z0-9][A-Za-z0-9_-]*)=((?:acp|plain):.*\S.*)$/s.exec(text)
  if (match?.[1] && match[2]) return [match[1], match[2]]
  throw usage(
    '--cli must read NAME=acp:COMMAND, NAME=plain:COMMAND or detect, for example --cli gemini="acp:gemini --acp".',
  )
}

function readDays(text: string): number {
  const days = Number(text)
  if (Number.isFinite(days) && days >= 0) return days
  throw usage('--rotate-days must be a number of days, for example --rotate-days 30, or 0 for never.')
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}

function usage(sentence: string): AgentFailure {
  return new AgentFailure(exitCodes.usage, sentence)
}
