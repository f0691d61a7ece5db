/** A network namespace that has one link to this one, which can be taken down: then packets get lost, and no side learns of it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { env, stdio: 'pipe' })
}

export class NetworkNamespace {
  readonly #name: string
  /** The end of the link in this namespace. */
  readonly #near: string
  /** The address of this side, as the namespace reaches it. */
  readonly address: string

  /** @param megabits the rate at which the namespace can send, per second */
  constructor(megabits: number) {
    // A network for benchmarks, which is not routed: RFC 2544.
    const net = `198.18.${process.pid % 256}`
    this.#name = `sb-net-${process.pid}`
    this.#near = `sb${process.pid}`
    this.address = `${net}.1`
    const far = `sbf${process.pid}`
    run('ip', 'netns', 'add', this.#name)
    try {
      run('ip', 'link', 'add', this.#near, 'type', 'veth', 'peer', 'name', far, 'netns', this.#name)
      run('ip', 'addr', 'add', `${net}.1/30`, 'dev', this.#near)
      run('ip', 'link', 'set', this.#near, 'up')
      for (const args of [
        ['addr', 'add', `${net}.2/30`, 'dev', far],
        ['link', 'set', far, 'up'],
        ['link', 'set', 'lo', 'up'],
      ])
        run('ip', '-netns', this.#name, ...args)
      const shape = ['root', 'tbf', 'rate', `${megabits}mbit`, 'burst', '256kbit', 'latency', '200ms']
      run('tc', '-netns', this.#name, 'qdisc', 'add', 'dev', far, ...shape)
    } catch (error) {
      this.remove()
      throw error
    }
  }

  /** The command in front of a program that runs in the namespace. */
  get prefix(): readonly string[] {
    return ['ip', 'netns', 'exec', this.#name]
  }

  /** The bytes that have come from the namespace. */
  get receivedBytes(): number {
    // `/sys/class/net` stays that of the machine in a network of its own.
    const [, received] =
      new RegExp(`^ *${this.#near}: *(\\d+)`, 'm').exec(readFileSync('/proc/self/net/dev', 'utf8')) ?? []
    if (received === undefined) throw new Error(`there is no link ${this.#near}`)
    return Number(received)
  }

  down(): void {
    run('ip', 'link', 'set', this.#near, 'down')
  }

  up(): void {
    run('ip', 'link', 'set', this.#near, 'up')
  }

  remove(): void {
    spawnSync('ip', ['link', 'del', this.#near], { env })
    spawnSync('ip', ['netns', 'del', this.#name], { env })
  }
}

/**
 * The command in front of a program that gets a network of its own, with `lo`. A link that is made or taken down on the network of the machine
 * would end the requests of all browsers there.
 */
export const ownNetwork: readonly string[] = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

/** The reason why this machine cannot make such a namespace, which needs root, `ip` and `tc`. Undefined if it can. */
export function networkNamespaceProblem(): string | undefined {
  const script = `
    ip link add sb0 type veth peer name sb1 && tc qdisc add dev sb0 root tbf rate 1mbit burst 256kbit latency 200ms &&
    ip netns add sb-try-${process.pid} && ip netns del sb-try-${process.pid}`
  const [command = '', ...args] = ownNetwork
  const { status, stderr, error } = spawnSync(command, [...args, 'sh', '-c', script], { env, encoding: 'utf8' })
  if (status === 0) return undefined
  return `this machine cannot make network namespaces: ${error?.message ?? stderr.trim()}`
}
