/** A file system in memory that can become full: it is shrunk to its content, and every new block then fails with ENOSPC. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, statfsSync } from 'node:fs'

const roomBytes = 6 * 1024 ** 3

export class SmallDisk {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
    mkdirSync(folder, { recursive: true })
    mount(folder)
  }

  fill(): void {
    // A write in the meantime makes it fail. It is then repeated with a larger size.
    for (let tries = 0; ; tries++) {
      try {
        resize(this.folder, this.used() + tries * 64 * 1024)
        return
      } catch (error) {
        if (tries > 50) throw error
      }
    }
  }

  free(): void {
    resize(this.folder, roomBytes)
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.folder])
  }

  used(): number {
    const { blocks, bfree, bsize } = statfsSync(this.folder)
    return (blocks - bfree) * bsize
  }
}

function mount(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${roomBytes},mode=0755`, 'tmpfs', folder], { stdio: 'pipe' })
}

function resize(folder: string, bytes: number): void {
  execFileSync('mount', ['-o', `remount,size=${bytes}`, folder], { stdio: 'pipe' })
}
