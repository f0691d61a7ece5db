/**
 * `@tus/server` with its file store on node:http. By itself it neither hashes nor syncs. If it is `durable`, its store does both, in the way
 * that its documentation shows for stores of one's own: the bytes are hashed as they pass, and the file is synced before the answer.
 */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import { contenderOptions, serve } from '../support/contender.ts'

export interface TusOptions {
  readonly folder: string
  readonly durable: boolean
}

class DurableStore extends FileStore {
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const hash = createHash('sha256')
    const hashed = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        done(null, chunk)
      },
    })
    readable.on('error', (error) => hashed.destroy(error))
    const end = await super.write(readable.pipe(hashed), id, offset)
    const file = await open(join(this.directory, id), 'r+')
    await file.datasync().finally(() => file.close())
    hash.digest()
    return end
  }
}

const { folder, durable } = contenderOptions<TusOptions>()
const Store = durable ? DurableStore : FileStore
const tus = new Server({ path: '/files', datastore: new Store({ directory: folder }) })
const server = createServer((request, response) => void tus.handle(request, response))
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => {
  serve({ port: (server.address() as AddressInfo).port, stop: () => server.closeAllConnections() })
})
