/** The images of Apple's systems. Their symbols are on the devices, and never in a dSYM. */

/** The folders of Apple's own images, on a device and in its simulator. */
const systemFolders = [
  '/System/',
  '/usr/lib/',
  '/Library/Apple/',
  '/Developer/usr/lib/',
  '/private/preboot/Cryptexes/',
  '/private/var/preboot/Cryptexes/',
] as const
const simulator = /\.simruntime\/Contents\/Resources\/RuntimeRoot\//

/** The memory of the cache that all programs share, which has only Apple's images: `mach/shared_region.h`. */
const sharedRegions: Readonly<Record<string, readonly [from: bigint, to: bigint]>> = {
  arm64: [0x1_8000_0000n, 0x4_0000_0000n],
  arm64e: [0x1_8000_0000n, 0x4_0000_0000n],
  x86_64: [0x7ff8_0000_0000n, 0x7fff_fe00_0000n],
  x86_64h: [0x7ff8_0000_0000n, 0x7fff_fe00_0000n],
}

interface Image {
  readonly path?: string | null | undefined
  readonly arch: string
  readonly loadAddress?: string | null | undefined
}

/** The path decides. A report without paths, as those of MetricKit, has load addresses. */
export function isSystemImage({ path, arch, loadAddress }: Image): boolean {
  if (path !== undefined && path !== null)
    return systemFolders.some((folder) => path.startsWith(folder)) || simulator.test(path)
  const region = sharedRegions[arch]
  if (region === undefined || loadAddress === undefined || loadAddress === null) return false
  const at = BigInt(loadAddress)
  return at >= region[0] && at < region[1]
}
