/** A server that is compatible with S3, with one bucket, and its settings. */
import crypto from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { S3Settings } from '../../../../spec/settings/s3.ts'

export interface S3Server extends AsyncDisposable {
  readonly port: number
  /** The settings of a bucket, of which each test uses another prefix. */
  settings(prefix: string, port?: number): S3Settings
  /** The environment with which the program uses the bucket. */
  env(prefix: string, port?: number): Readonly<Record<string, string>>
  /** Ends the server. Its objects stay. */
  stop(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
}

const bucket = 'blobs'
/** The only key that s3rver accepts. */
const key = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'sb-s3-'))
  let port = 0
  let server: S3rver | undefined
  const start = async () => {
    server = new S3rver({ address: '127.0.0.1', port, silent: true, directory, configureBuckets: [{ name: bucket }] })
    keepFolders(server)
    port = (await server.run()).port
  }
  const stop = async () => {
    await server?.close()
    server = undefined
  }
  await start()
  return {
    get port() {
      return port
    },
    settings: (prefix, at = port) => ({
      endpoint: `http://127.0.0.1:${at}/${bucket}`,
      prefix: `${prefix}/`,
      region: 'us-east-1',
      ...key,
    }),
    env: (prefix, at = port) => ({
      BLOB_URL: `s3://${bucket}/${prefix}`,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${at}`,
      AWS_ACCESS_KEY_ID: key.accessKeyId,
      AWS_SECRET_ACCESS_KEY: key.secretAccessKey,
    }),
    stop,
    start,
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/**
 * s3rver encrypts the mark of the next page with DES, which OpenSSL 3 does not have any more: a list of more than 1,000 objects is an
 * internal error. Triple DES with the key three times is the same cipher, and OpenSSL has it. It is replaced once for the process, because
 * servers are started again and again.
 */
for (const name of ['createCipheriv', 'createDecipheriv'] as const) {
  const original = crypto[name] as (algorithm: string, key: Buffer, iv: Buffer) => unknown
  const replaced = (algorithm: string, key: Buffer, iv: Buffer) =>
    algorithm === 'des' ? original('des-ede3-cbc', Buffer.concat([key, key, key]), iv) : original(algorithm, key, iv)
  Object.assign(crypto, { [name]: replaced })
}

interface ObjectStore {
  deleteObject(bucket: string, key: string): Promise<void>
  getResourcePath(bucket: string, key: string, resource: string): string
}

/** s3rver removes an empty folder after a delete, even while another request writes into it. That ends the process with an uncaught error. */
function keepFolders(server: S3rver): void {
  const { store } = server as unknown as { readonly store: ObjectStore }
  store.deleteObject = async (bucket, key) => {
    for (const resource of ['object', 'object.md5', 'metadata.json'])
      await rm(store.getResourcePath(bucket, key, resource), { force: true })
  }
}
