/**
 * Milliseconds of processor time of this thread. Other programs on the machine do not change it, as they change the time of a clock.
 * The decompression of a body is not counted: it runs in a thread of Node.
 */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
