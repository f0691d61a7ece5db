/** `npm run inspect`: sends one actor to Stately's inspector. */
import { inspect } from './inspect.ts'
import { help, type Options, readOptions, WrongUse } from './options.ts'
import { type InspectorSocket, openSocket } from './socket.ts'

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === 'help') {
    process.stdout.write(help)
    return 0
  }
  const socket = await openSocket(options.inspector).catch((cause: unknown) => {
    throw new Error(`No inspector answers at ${options.inspector}: ${messageOf(cause)}`)
  })
  try {
    return await sendUntilEnded(options, socket)
  } finally {
    await socket.end()
  }
}

async function sendUntilEnded(options: Options, socket: InspectorSocket): Promise<number> {
  const ending = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ending.abort())
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  socket.closed.then(() => {
    if (!ending.signal.aborted) print('The inspector has closed its side.')
    ending.abort()
  })
  await inspect(options, options.actorId, socket, print, ending.signal)
  ending.abort()
  return 0
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  const cause = error instanceof Error ? error.cause : undefined
  const message = error instanceof Error ? error.message : String(error)
  return cause === undefined ? message : `${message}: ${messageOf(cause)}`
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exitCode = error instanceof WrongUse ? 2 : 1
  },
)
