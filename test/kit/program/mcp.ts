/** Speaks with the endpoint as a client would, one request at a time. */
import type { TestGateway } from '../runtime/testGateway.ts'

export interface RpcAnswer {
  readonly status: number
  readonly headers: Headers
  /** The answer's own message: of a stream, the last. */
  readonly body: RpcMessage | undefined
  /** Those before it. */
  readonly notifications: readonly RpcMessage[]
}

export interface RpcMessage {
  readonly id?: number | null
  readonly method?: string
  readonly params?: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: each method has a result of its own, which the test looks into
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> }
}

export type Credentials = Readonly<Record<string, string>>

const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

export async function rpc(
  { url }: Pick<TestGateway, 'url'>,
  method: string,
  params: Readonly<Record<string, unknown>>,
  { scope = '', headers = {} }: { readonly scope?: string; readonly headers?: Credentials },
): Promise<RpcAnswer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return await answered(
    await fetch(`${url}/api/mcp${scope}`, { method: 'POST', headers: { ...common, ...headers }, body }),
  )
}

/** As a client of 2026-07-28 sends it: each request names its client and its version. */
export async function modern(
  world: Pick<TestGateway, 'url'>,
  method: string,
  params: Readonly<Record<string, unknown>>,
  { scope = '', headers = {} }: { readonly scope?: string; readonly headers?: Credentials },
): Promise<RpcAnswer> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const named = typeof params.name === 'string' ? { 'mcp-name': params.name } : {}
  const { _meta: own, ...rest } = params
  return await rpc(
    world,
    method,
    { ...rest, _meta: { ...meta, ...(own as object) } },
    { scope, headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...named, ...headers } },
  )
}

export async function answered(response: Response): Promise<RpcAnswer> {
  const text = await response.text()
  const { status, headers } = response
  const messages = headers.get('content-type')?.startsWith('text/event-stream') ? fromStream(text) : fromText(text)
  return { status, headers, body: messages.at(-1), notifications: messages.slice(0, -1) }
}

function fromText(text: string): RpcMessage[] {
  return text === '' ? [] : [JSON.parse(text) as RpcMessage]
}

function fromStream(text: string): RpcMessage[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as RpcMessage)
}
