/**
 * OpenStack Swift of Debian with its S3 API, which has multipart uploads: one proxy and one server each for accounts, containers and objects, on one
 * device, which is a folder, and a memcached, which the proxy requires. It is a real server of S3 for the contract of blobs and for uploads.
 *
 * It needs a folder for temporary files whose file system has extended attributes.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { S3mini } from 's3mini'
import { freePort } from '../ports.ts'
import { until } from '../until.ts'
import type { S3Server } from './s3Server.ts'

const swiftPackages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached']

const execute = promisify(execFile)
const bucket = 'blobs'
const key = { accessKeyId: 'test:tester', secretAccessKey: 'testing' }
const region = 'us-east-1'
const readyMs = 120_000

/** The rings of all servers in one process: `swift-ring-builder` needs three for each. */
const makeRings = `
import os, sys
from swift.common.ring import RingBuilder
for name, port in (given.split("=") for given in sys.argv[2:]):
    builder = RingBuilder(4, 1, 0)
    place = {"ip": "127.0.0.1", "port": int(port), "replication_ip": "127.0.0.1", "replication_port": int(port)}
    builder.add_dev({"id": 0, "region": 1, "zone": 1, "device": "disk", "weight": 1, "meta": "", **place})
    builder.rebalance()
    builder.get_ring().save(os.path.join(sys.argv[1], name + ".ring.gz"))
`

const storages = ['account', 'container', 'object'] as const
type StorageName = (typeof storages)[number]
type ServerName = StorageName | 'proxy' | 'cache'

/** A server of Swift that runs. Starting it takes some seconds. */
export async function startSwiftServer(): Promise<S3Server> {
  if (!existsSync('/usr/bin/swift-proxy-server'))
    throw new Error(`This machine has no OpenStack Swift. Install it: apt-get install ${swiftPackages.join(' ')}`)
  const folder = await mkdtemp(join(tmpdir(), 'sb-swift-'))
  const ports: Record<ServerName, number> = {
    ...{ account: await freePort(), container: await freePort(), object: await freePort() },
    ...{ proxy: await freePort(), cache: await freePort() },
  }
  await writeFiles(folder, ports)
  const running = new Map<ServerName, ChildProcess>()
  const start = async () => {
    for (const name of ['cache', 'proxy', ...storages] as const)
      running.set(name, startServer(name, folder, ports[name]))
    await until(
      'Swift to answer',
      async () => {
        for (const [name, { exitCode }] of running)
          if (exitCode !== null) throw new Error(`the ${name} of Swift ended: ${await readLog(folder, name)}`)
        const answer = await fetch(`http://127.0.0.1:${ports.proxy}/healthcheck`)
        return (await answer.text()) === 'OK'
      },
      readyMs,
    )
    const s3 = new S3mini({ endpoint: `http://127.0.0.1:${ports.proxy}/${bucket}`, region, ...key })
    // The storage servers may start after the proxy.
    await until('the bucket', async () => (await s3.bucketExists()) || (await s3.createBucket()), readyMs)
  }
  const stop = async () => {
    const ending = [...running.values()].filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    running.clear()
    await Promise.all(
      ending.map((child) => {
        const ended = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        return ended
      }),
    )
  }
  const end = async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
  await start().catch(async (error) => {
    await end()
    throw error
  })
  return {
    port: ports.proxy,
    settings: (prefix, at = ports.proxy) => ({
      endpoint: `http://127.0.0.1:${at}/${bucket}`,
      prefix: `${prefix}/`,
      region,
      ...key,
    }),
    env: (prefix, at = ports.proxy) => ({
      BLOB_URL: `s3://${bucket}/${prefix}`,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${at}`,
      AWS_ACCESS_KEY_ID: key.accessKeyId,
      AWS_SECRET_ACCESS_KEY: key.secretAccessKey,
    }),
    stop,
    start,
    [Symbol.asyncDispose]: end,
  }
}

/** It ends with this process, for whatever reason this one ends. */
function startServer(name: ServerName, folder: string, port: number): ChildProcess {
  const script = 'log=$1; shift; exec "$@" > "$log" 2>&1'
  const program =
    name === 'cache'
      ? ['/usr/bin/memcached', '-l', '127.0.0.1', '-p', String(port), '-u', userInfo().username]
      : [`/usr/bin/swift-${name}-server`, join(folder, `${name}.conf`), '--verbose']
  const command = ['sh', '-c', script, 'sh', logOf(folder, name), ...program]
  return spawn('setpriv', ['--pdeathsig', 'SIGKILL', ...command], { stdio: 'ignore' })
}

const logOf = (folder: string, name: ServerName) => join(folder, `${name}.log`)

async function readLog(folder: string, name: ServerName): Promise<string> {
  return (await readFile(logOf(folder, name), 'utf8').catch(() => '')).slice(-2_000)
}

/** Settings and rings: one device, one replica. */
async function writeFiles(folder: string, ports: Readonly<Record<ServerName, number>>): Promise<void> {
  await mkdir(join(folder, 'devices', 'disk'), { recursive: true })
  await writeFile(
    join(folder, 'swift.conf'),
    `[swift-hash]
swift_hash_path_suffix = test
swift_hash_path_prefix = test
[storage-policy:0]
name = Policy-0
default = yes
`,
  )
  for (const name of storages) {
    await writeFile(
      join(folder, `${name}.conf`),
      `${defaults(folder, ports[name])}devices = ${folder}/devices
mount_check = false
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`,
    )
  }
  await execute('/usr/bin/python3', ['-c', makeRings, folder, ...storages.map((name) => `${name}=${ports[name]}`)])
  const filters = 'catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo symlink'
  await writeFile(
    join(folder, 'proxy.conf'),
    `${defaults(folder, ports.proxy)}[pipeline:main]
pipeline = ${filters} proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# There is one server of each kind. Swift would leave it out for a minute after ten errors, and a cut connection is one.
error_suppression_interval = 0
node_timeout = 60
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${ports.cache}
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${key.secretAccessKey} .admin
[filter:s3api]
use = egg:swift#s3api
location = ${region}
${filters
  .split(' ')
  .filter((name) => !['cache', 's3api', 'tempauth'].includes(name))
  .map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`)
  .join('')}`,
  )
}

/** `workers = 0`: the server is one process, which ends with its parent. */
function defaults(folder: string, port: number): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
recon_cache_path = ${folder}
log_level = WARNING
log_address = ${folder}/no-log
`
}
