/** `1.4 GiB`, `312 B`: powers of 1,024, as the limits of uploads have them. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
