import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** All temporary files of this process and its slices are removed when this process ends, even if a slice was killed. */
export function ownTemporaryFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-chaos-'))
  // PostgreSQL runs as another user if this runs as root.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
}
