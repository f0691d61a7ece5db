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

  /** @param megabits the rate of the link in each direction, per second */
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
      run('tc', 'qdisc', 'add', 'dev', this.#near, ...shape)
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
    return Number(readFileSync(`/sys/class/net/${this.#near}/statistics/rx_bytes`, 'utf8'))
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

/** The reason why this machine cannot make such a namespace, which needs root, `ip` and `tc`. Undefined if it can. */
export function networkNamespaceProblem(): string | undefined {
  try {
    new NetworkNamespace(100).remove()
    return undefined
  } catch (error) {
    return `this machine cannot make network namespaces: ${error instanceof Error ? error.message.trim() : error}`
  }
}
