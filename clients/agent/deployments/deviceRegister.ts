import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../failures.ts'
import type { Logger } from '../log.ts'
import type { AgentDestination } from '../operations.ts'
import { childEnvironment } from '../system/environment.ts'
import { sleep } from '../wait.ts'
import { parseAdbDevices, parseIosDevices, parseSimulators } from './deviceLists.ts'

/** Milliseconds between looks, because devices are connected and disconnected. */
const againMs = 30_000
/** Milliseconds for each command. The first one of adb starts its server. */
const commandMs = 20_000
/** The maximum number of devices that the control plane takes. */
const most = 200

/** The devices of the machine to which builds can be deployed. Programs that are not installed are not an error. */
export class DeviceRegister {
  readonly #log: Logger
  #devices: readonly AgentDestination[] = []
  #reported = ''

  constructor(log: Logger) {
    this.#log = log
  }

  list(): readonly AgentDestination[] {
    return this.#devices
  }

  async run(closing: AbortSignal, onChange: () => void): Promise<void> {
    while (!closing.aborted) {
      const before = JSON.stringify(this.#devices)
      await this.look()
      if (JSON.stringify(this.#devices) !== before) onChange()
      await sleep(againMs, closing)
    }
  }

  async look(): Promise<void> {
    const isMac = process.platform === 'darwin'
    const lists = await Promise.all([
      this.#read(async () => parseAdbDevices(await output('adb', ['devices', '-l']))),
      isMac
        ? this.#read(async () =>
            parseSimulators(await output('xcrun', ['simctl', 'list', 'devices', 'available', '--json'])),
          )
        : [],
      isMac ? this.#read(async () => parseIosDevices(await iosDevices())) : [],
    ])
    this.#devices = lists.flat().slice(0, most)
  }

  async #read(list: () => Promise<AgentDestination[]>): Promise<AgentDestination[]> {
    try {
      return await list()
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') return []
      const reason = messageOf(error)
      if (reason !== this.#reported) this.#log.warn('The devices of this machine could not be listed.', { reason })
      this.#reported = reason
      return []
    }
  }
}

function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      env: childEnvironment(process.env),
      timeout: commandMs,
      killSignal: 'SIGKILL' as const,
      maxBuffer: 16 * 1024 * 1024,
    }
    execFile(program, args, options, (error, stdout) => (error ? reject(error) : resolve(stdout)))
  })
}

async function iosDevices(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-devices-'))
  try {
    const file = join(folder, 'devices.json')
    await output('xcrun', ['devicectl', 'list', 'devices', '--json-output', file])
    return await readFile(file, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
