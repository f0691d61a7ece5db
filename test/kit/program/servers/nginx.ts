/** Debian's nginx as a reverse proxy of a server, with its default buffering and limits unless others are given. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../ports.ts'
import { until } from '../until.ts'

export const nginxPath: string | undefined = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path))

export interface NginxRequest {
  readonly method: string
  readonly path: string
  readonly status: number
  /** The bytes of the body, as the client has announced them. */
  readonly length: number
}

/** Files in PEM. */
export interface TlsFiles {
  readonly certificate: string
  readonly key: string
}

export interface Nginx {
  readonly url: string
  /** Of `localhost`, if it has a certificate. */
  readonly secureUrl: string | undefined
  /** The requests that have ended. */
  requests(): Promise<readonly NginxRequest[]>
  /** How many requests were kept in a file before the server got them. */
  keptRequests(): Promise<number>
  stop(): Promise<void>
}

/** The server does not accept HTTP/1.0, which is the default of this version. */
const usualLocation = (port: number) => `location / {
          proxy_http_version 1.1;
          proxy_pass http://127.0.0.1:${port};
          proxy_set_header X-Forwarded-Host $http_host;
          proxy_set_header X-Forwarded-Proto $scheme;
          proxy_set_header X-Forwarded-For $remote_addr;
        }`

/**
 * @param port of the server
 * @param location the block of the configuration that names the server
 * @param tls for https on another port
 */
export async function startNginx(port: number, location: string = usualLocation(port), tls?: TlsFiles): Promise<Nginx> {
  if (nginxPath === undefined) throw new Error('This machine has no nginx. Install it: apt-get install nginx-light')
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-nginx-'))
  // The workers have another user if this process is root's.
  await chmod(folder, 0o755)
  const own = await freePort()
  const secure = tls && { ...tls, port: await freePort() }
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log warn;
    events { worker_connections 256; }
    http {
      log_format ended "request $request_method $uri $status $http_content_length.";
      access_log ${folder}/access.log ended;
      map $http_upgrade $connection_upgrade { default upgrade; '' close; }
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
      uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
      server {
        listen 127.0.0.1:${own};
        ${secure === undefined ? '' : `listen 127.0.0.1:${secure.port} ssl; ssl_certificate ${secure.certificate}; ssl_certificate_key ${secure.key};`}
        ${location}
      }
    }`,
  )
  const child = spawn(nginxPath, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: 'inherit',
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = `http://127.0.0.1:${own}`
  await until('nginx', async () => (await fetch(`${url}/api/public/health`)).ok || undefined)
  return {
    url,
    secureUrl: secure && `https://localhost:${secure.port}`,
    async requests() {
      const log = await readFile(join(folder, 'access.log'), 'utf8')
      return [...log.matchAll(/^request (\S+) (\S+) (\d+) (\d+|-)\.$/gm)].map(
        ([, method = '', path = '', status, length]) => ({
          ...{ method, path, status: Number(status), length: length === '-' ? 0 : Number(length) },
        }),
      )
    },
    async keptRequests() {
      const log = await readFile(join(folder, 'error.log'), 'utf8')
      return log.match(/a client request body is buffered to a temporary file/g)?.length ?? 0
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
