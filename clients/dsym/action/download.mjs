/**
 * Downloads the upload client from the server: `node download.mjs FILE`. It is JavaScript for Node 20, because it runs before the client is
 * there. Redirects are not followed, so that extra headers reach only the server.
 */
import { writeFileSync } from 'node:fs'

const attempts = 5
const attemptMs = 30_000

const [file = 'signalbox-dsym.mjs'] = process.argv.slice(2)
const server = (process.env.SIGNALBOX_SERVER ?? '').replace(/\/+$/, '')
const url = `${server}/api/public/dsym/signalbox-dsym.mjs`

/** Ends the step. */
function fail(text) {
  process.stdout.write(`::error::The dSYM upload client was not downloaded from ${server}. ${text}\n`)
  process.exit(1)
}

/** The client checks the lines again, and reports wrong ones by their position. */
function readHeaders(text) {
  const lines = text.split(/\r?\n/).filter((line) => line.includes(':'))
  return lines.map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()])
}

/** @returns the text of the program, or a reason to try again */
async function download(headers) {
  const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(attemptMs) })
  const { status } = response
  if (status >= 500 || status === 429 || status === 408) return { problem: `The server answered ${status}.` }
  if (status !== 200 || !(response.headers.get('content-type') ?? '').startsWith('text/javascript'))
    fail(
      `The answer has status ${status} and is not the program. Check server_url. If an access layer protects the server, give the headers of a service token in the input headers.`,
    )
  return { source: await response.text() }
}

const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 20)
  fail(`The runner has Node ${process.versions.node}, and the client needs 20 or newer. Use actions/setup-node.`)
if (!URL.canParse(url)) fail('The input server_url is not a URL, for example https://signalbox.example.')

let headers
try {
  headers = new Headers(readHeaders(process.env.SIGNALBOX_HEADERS ?? ''))
} catch {
  // The error of Node shows the value, which may be a secret.
  fail('The input headers has a line that is not NAME: VALUE.')
}

for (let attempt = 1; ; attempt++) {
  const { source, problem } = await download(headers).catch((error) => ({
    problem: `${error.cause?.code ?? error.name}.`,
  }))
  if (source !== undefined) {
    writeFileSync(file, source)
    break
  }
  if (attempt === attempts) fail(`${problem} This was attempt ${attempt} of ${attempts}.`)
  await new Promise((resolve) => setTimeout(resolve, 1_000 * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)))
}
