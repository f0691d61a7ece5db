/** Debian's nginx as a reverse proxy of a server, with its default buffering. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../ports.ts'
import { until } from '../until.ts'

export const nginxPath: string | undefined = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path))

export interface Nginx {
  readonly url: string
  stop(): Promise<void>
}

/** @param port of the server */
export async function startNginx(port: number): Promise<Nginx> {
  if (nginxPath === undefined) throw new Error('This machine has no nginx. Install it: apt-get install nginx-light')
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-nginx-'))
  const own = await freePort()
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
    events { worker_connections 256; }
    http {
      access_log off;
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
      uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
      server {
        listen 127.0.0.1:${own};
        location / {
          # uWebSockets.js does not accept HTTP/1.0, which is the default of this version.
          proxy_http_version 1.1;
          proxy_pass http://127.0.0.1:${port};
          proxy_set_header X-Forwarded-Host $http_host;
          proxy_set_header X-Forwarded-Proto $scheme;
          proxy_set_header X-Forwarded-For $remote_addr;
        }
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
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
