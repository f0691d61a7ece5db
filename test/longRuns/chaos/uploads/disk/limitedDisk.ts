/** A small file system of its own, which another process fills to the last block. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * ext4 on a loop device behaves like the disk of a server: blocks are allocated late, and `fdatasync` and `O_DIRECT` reach a device. On tmpfs
 * `fdatasync` does nothing.
 */
export const fileSystems = ['ext4', 'tmpfs'] as const
export type FileSystem = (typeof fileSystems)[number]

export class LimitedDisk {
  readonly folder: string
  readonly #image: string

  /** Mounts it at a folder, which is created. */
  constructor(folder: string, fileSystem: FileSystem, bytes: number) {
    this.folder = folder
    this.#image = join(mkdtempSync(join(tmpdir(), 'sb-disk-')), 'image')
    mkdirSync(folder, { recursive: true })
    if (fileSystem === 'tmpfs') {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0755`, 'tmpfs', folder], { stdio: 'pipe' })
      return
    }
    writeFileSync(this.#image, '')
    execFileSync('truncate', ['--size', String(bytes), this.#image])
    // No blocks are kept for root, so the disk is full for all at the same moment.
    execFileSync('mkfs.ext4', ['-q', '-m', '0', this.#image], { env: withSystemTools() })
    execFileSync('mount', ['-o', 'loop', this.#image, folder], { stdio: 'pipe' })
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder)
    return bavail * bsize
  }

  /** Another process writes until no block is left. This process waits for it. */
  fill(): void {
    // Once with large blocks, and then with those of the file system.
    for (const block of ['1M', '4k'])
      spawnSync('dd', ['if=/dev/zero', `of=${this.#filler}`, `bs=${block}`, 'oflag=append', 'conv=notrunc,fsync'], {
        stdio: 'ignore',
      })
  }

  /** Removes what `fill` has written. */
  free(): void {
    rmSync(this.#filler, { force: true })
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.folder])
    rmSync(join(this.#image, '..'), { recursive: true, force: true })
  }

  get #filler(): string {
    return join(this.folder, 'filler')
  }
}

function withSystemTools(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }
}

/** The command in front of a program that mounts file systems. They end with the program, for whatever reason it ends. */
export const mountNamespace: readonly string[] = ['unshare', '--mount']

/** The reason why a file system cannot be mounted on this machine, which needs root. Undefined if it can. */
export function mountProblem(fileSystem: FileSystem): string | undefined {
  const script =
    fileSystem === 'tmpfs'
      ? 'mount -t tmpfs tmpfs "$1"'
      : 'truncate --size 8M "$1/i" && mkfs.ext4 -q "$1/i" && mkdir "$1/m" && mount -o loop "$1/i" "$1/m"'
  const folder = mkdtempSync(join(tmpdir(), 'sb-mount-'))
  const [command = '', ...args] = mountNamespace
  const tried = spawnSync(command, [...args, 'sh', '-c', script, 'sh', folder], { env: withSystemTools() })
  rmSync(folder, { recursive: true, force: true })
  if (tried.status === 0) return undefined
  return `this machine cannot mount ${fileSystem}: ${String(tried.stderr ?? tried.error).trim()}`
}
