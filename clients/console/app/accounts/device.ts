/** The program and the system that a user agent tells of, as far as people know them by name. */

/** The first that fits: most browsers call themselves by the names of others, too. */
const programs = [
  [/\bEdgi?A?(?:iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
] as const

const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bLinux\b/, 'Linux'],
] as const

const longest = 60

export function deviceOf(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'An unnamed program'
  const program = programs.find(([like]) => like.test(userAgent))?.[1]
  const system = systems.find(([like]) => like.test(userAgent))?.[1]
  if (program === undefined) return userAgent.length > longest ? `${userAgent.slice(0, longest)} …` : userAgent
  return system === undefined ? program : `${program} on ${system}`
}
