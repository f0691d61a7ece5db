/** The requests of the dSYM upload protocol. */
import { createHash } from 'node:crypto'
import { version } from '../../../spec/settings/version.ts'
import { NoAnswer } from '../failures.ts'
import type { StopSignals } from '../stop.ts'
import { type HttpAnswer, type StreamedBody, sendRequest } from './httpRequest.ts'
import { findRefusal, parseJson, type Refusal, readOffset } from './refusal.ts'

export interface ZipToSend {
  readonly filename: string
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

export interface CreatedUpload {
  readonly id: string
  readonly offset: number
  readonly chunkSizeMax: number
  readonly status: string
  /** The upload that has the same bytes. Nothing is sent. */
  readonly duplicateOf: string | undefined
}

export interface IndexedDsym {
  readonly name: string
  readonly bundleIdentifier: string
  readonly version: string
  readonly build: string
  readonly images: readonly { readonly uuid: string; readonly arch: string }[]
}

export interface CompletedUpload {
  readonly id: string
  readonly status: 'INDEXED' | 'DUPLICATE'
  readonly duplicateOf: string | undefined
  readonly dsyms: readonly IndexedDsym[]
  readonly warnings: readonly { readonly code: string; readonly bundle: string; readonly message: string }[]
  readonly crashesToSymbolicate: number
}

export interface ServerAccess {
  /** Without a slash at its end. */
  readonly server: string
  readonly apiKey: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Timing {
  /** A connection may be silent for this time. */
  readonly idleMs: number
  /** The same for a completion, which the server answers when it has indexed the zip. Network devices drop connections that are silent longer. */
  readonly completionIdleMs: number
}

/** A refusal, or no answer: then a repeat may succeed. */
export interface FailedRequest extends Refusal {
  readonly hasAnswer: boolean
}

export type Outcome<Value> = { readonly value: Value } | { readonly failed: FailedRequest }

/** The time for the two requests that delete an upload after a signal. */
const deleteMs = 2_000

export class UploadApi {
  readonly #access: ServerAccess
  readonly #stop: StopSignals
  readonly #timing: Timing

  constructor(access: ServerAccess, stop: StopSignals, timing: Timing) {
    this.#access = access
    this.#stop = stop
    this.#timing = timing
  }

  /**
   * The same zip is the same upload for as long as the server remembers the key. `round` counts uploads of it that have ended without a
   * result, for example because a canceled step has deleted them.
   */
  create({ filename, size, sha256 }: ZipToSend, round: number): Promise<Outcome<CreatedUpload>> {
    // Another name with the same key would be refused.
    const nameHash = createHash('sha256').update(filename).digest('hex').slice(0, 8)
    return this.#send(
      {
        method: 'POST',
        path: '',
        headers: { 'content-type': 'application/json', 'idempotency-key': `dsym-${sha256}-${nameHash}-${round}` },
        body: Buffer.from(JSON.stringify({ filename, size, sha256 })),
        // A signal does not abort it: its answer has the ID that is deleted then.
        signal: this.#stop.late,
      },
      ({ text }) => readCreated(parseJson(text), size),
    )
  }

  /** @returns the bytes that the server has */
  offset(id: string): Promise<Outcome<number>> {
    return this.#send({ method: 'HEAD', path: `/${id}` }, readOffset)
  }

  /** @returns the bytes that the server has afterwards */
  sendChunk(id: string, offset: number, body: StreamedBody): Promise<Outcome<number>> {
    const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
    return this.#send({ method: 'PATCH', path: `/${id}`, headers, body }, readOffset)
  }

  complete(id: string, leftMs: number): Promise<Outcome<CompletedUpload>> {
    const idleMs = Math.max(1, Math.min(this.#timing.completionIdleMs, leftMs))
    return this.#send({ method: 'POST', path: `/${id}/complete`, idleMs }, ({ text }) => readCompleted(parseJson(text)))
  }

  /** Tries twice, also after a signal. The server deletes an upload 24 hours after its last byte otherwise. @returns whether it is deleted */
  async remove(id: string): Promise<boolean> {
    for (let attempt = 0; attempt < 2; attempt++) {
      const request = { method: 'DELETE', path: `/${id}`, signal: AbortSignal.timeout(deleteMs) } as const
      const outcome = await this.#send(request, () => true).catch(() => undefined)
      if (outcome !== undefined && ('value' in outcome || outcome.failed.status === 404)) return true
    }
    return false
  }

  async #send<Value>(
    { method, path, headers = {}, body, signal = this.#stop.now, idleMs = this.#timing.idleMs }: ApiRequest,
    read: (answer: HttpAnswer) => Value | undefined,
  ): Promise<Outcome<Value>> {
    const { server, apiKey, headers: extra } = this.#access
    try {
      const answer = await sendRequest({
        method,
        url: `${server}/api/dsyms/uploads${path}`,
        headers: {
          accept: 'application/json',
          'user-agent': `signalbox-dsym/${version}`,
          ...extra,
          ...headers,
          'x-api-key': apiKey,
        },
        body,
        idleMs,
        signal,
      })
      const refusal = findRefusal(answer)
      if (refusal !== undefined) return { failed: { ...refusal, hasAnswer: true } }
      const value = read(answer)
      return value === undefined ? { failed: unreadable(answer) } : { value }
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      return { failed: { ...noRefusal, text: `No answer: ${error.message}.`, isTransient: true, hasAnswer: false } }
    }
  }
}

interface ApiRequest {
  readonly method: 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | StreamedBody
  readonly signal?: AbortSignal
  readonly idleMs?: number
}

const noRefusal = { status: 0, retryAfterMs: undefined, error: undefined, offset: undefined } as const

function unreadable({ status }: HttpAnswer): FailedRequest {
  const text = `The answer (status ${status}) is not one of the dSYM upload protocol. Check the URL of the server and its version.`
  return { ...noRefusal, status, text, isTransient: false, hasAnswer: true }
}

/** An ID becomes a part of a path, so only letters, digits, `_` and `-` are accepted. */
const safeId = /^[\w-]{1,100}$/

function readCreated(value: unknown, size: number): CreatedUpload | undefined {
  const { id, offset, chunkSizeMax, status, duplicateOf } = recordOf(value)
  if (typeof id !== 'string' || !safeId.test(id) || !isCount(offset) || offset > size) return undefined
  return {
    id,
    offset,
    chunkSizeMax: isCount(chunkSizeMax) && chunkSizeMax > 0 ? chunkSizeMax : Number.POSITIVE_INFINITY,
    status: textOf(status),
    duplicateOf: typeof duplicateOf === 'string' ? duplicateOf : undefined,
  }
}

function readCompleted(value: unknown): CompletedUpload | undefined {
  const { id, status, duplicateOf, dsyms, warnings, crashesToSymbolicate } = recordOf(value)
  if (status !== 'INDEXED' && status !== 'DUPLICATE') return undefined
  return {
    id: textOf(id),
    status,
    duplicateOf: typeof duplicateOf === 'string' ? duplicateOf : undefined,
    dsyms: listOf(dsyms).map(({ name, bundleIdentifier, version, build, images }) => ({
      name: textOf(name),
      bundleIdentifier: textOf(bundleIdentifier),
      version: textOf(version),
      build: textOf(build),
      images: listOf(images).map(({ uuid, arch }) => ({ uuid: textOf(uuid), arch: textOf(arch) })),
    })),
    warnings: listOf(warnings).map(({ code, bundle, message }) => ({
      code: textOf(code),
      bundle: textOf(bundle),
      message: textOf(message),
    })),
    crashesToSymbolicate: isCount(crashesToSymbolicate) ? crashesToSymbolicate : 0,
  }
}

type UnknownRecord = Readonly<Record<string, unknown>>

function recordOf(value: unknown): UnknownRecord {
  return typeof value === 'object' && value !== null ? (value as UnknownRecord) : {}
}

function listOf(value: unknown): readonly UnknownRecord[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
