/** A certificate of `localhost`, made by `openssl`, and the authority that a client must trust for it. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TlsFiles } from './nginx.ts'

export interface LocalhostTls extends TlsFiles {
  /** A file in PEM. */
  readonly authority: string
  remove(): void
}

export function localhostTls(): LocalhostTls {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-tls-'))
  const path = (name: string) => join(folder, name)
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = (name: string) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`]
  openssl('req', '-x509', ...key('authority'), '-out', 'authority.pem', '-subj', '/CN=Test authority', '-days', '2')
  openssl('req', ...key('localhost'), '-out', 'request.pem', '-subj', '/CN=localhost')
  writeFileSync(path('names'), 'subjectAltName=DNS:localhost\n')
  const issuer = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial']
  openssl('x509', '-req', '-in', 'request.pem', ...issuer, '-out', 'localhost.pem', '-days', '1', '-extfile', 'names')
  chmodSync(folder, 0o755)
  return {
    authority: path('authority.pem'),
    certificate: path('localhost.pem'),
    key: path('localhost.key'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
