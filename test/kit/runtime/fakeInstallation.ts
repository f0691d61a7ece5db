import { installationStatus } from '../../../gateway/operations/settings/describeInstallation.ts'
import { readSettings } from '../../../settings.ts'
import type { InstallationStatus } from '../../../spec/settings/installation.ts'
import type { Storage } from '../../../storage/storage.ts'

/** A program that was started a minute ago, on the storage that is given. */
export function fakeInstallation(storage: Pick<Storage, 'about' | 'healthy'>): Promise<InstallationStatus> {
  const now = Date.now()
  return installationStatus({
    settings: readSettings({}),
    listening: undefined,
    embedded: false,
    owner: 'test',
    startedAt: now - 60_000,
    now,
    database: () => storage.about(),
    healthy: () => storage.healthy(),
  })
}
