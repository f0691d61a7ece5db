/** `@tus/server` with its file store on node:http. It neither hashes nor syncs. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import { contenderOptions, serve } from '../support/contender.ts'

export interface TusOptions {
  readonly folder: string
}

const { folder } = contenderOptions<TusOptions>()
const tus = new Server({ path: '/files', datastore: new FileStore({ directory: folder }) })
const server = createServer((request, response) => void tus.handle(request, response))
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => {
  serve({ port: (server.address() as AddressInfo).port, stop: () => server.closeAllConnections() })
})
