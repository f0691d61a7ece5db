import { parseArgs } from 'node:util'

export interface Options {
  readonly url: string
  readonly key: string
  readonly inspector: string
  readonly actorId: string
}

export const help = `Sends the transitions of one actor to Stately's inspector: the stored ones, then each new one.

  SIGNALBOX_KEY=svc_… npm run inspect -- --url http://localhost:3000 run_…

  --url URL            the control plane (http://localhost:3000)
  --inspector URL      the inspector's WebSocket (ws://localhost:8080)
  --help

The API key comes from the environment, so that no list of processes shows it. Ctrl+C ends it.
Exit codes: 0 ended, 1 the server or the inspector does not answer or refuses, 2 wrong use.
`

/** The arguments are wrong. The message contains the correct form. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse'
}

/** @throws WrongUse */
export function readOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Options | 'help' {
  const { values, positionals } = parse(argv)
  if (values.help) return 'help'
  const [actorId, ...more] = positionals
  if (actorId === undefined || more.length > 0) throw new WrongUse('Name one actor by its ID: run_…')
  const key = env.SIGNALBOX_KEY
  if (!key) throw new WrongUse('Set SIGNALBOX_KEY to an API key: svc_…')
  return {
    actorId,
    key,
    url: address('--url', values.url, ['http:', 'https:']),
    inspector: address('--inspector', values.inspector, ['ws:', 'wss:']),
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        url: { type: 'string', default: 'http://localhost:3000' },
        inspector: { type: 'string', default: 'ws://localhost:8080' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new WrongUse(error instanceof Error ? error.message : String(error))
  }
}

function address(name: string, text: string, schemes: readonly string[]): string {
  const url = URL.parse(text)
  if (url === null || !schemes.includes(url.protocol))
    throw new WrongUse(`${name} is a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`)
  return text.replace(/\/+$/, '')
}
