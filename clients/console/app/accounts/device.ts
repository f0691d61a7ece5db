/** Names the browser and the operating system of a user agent, if they are well known. */

/** The first match counts: most browsers include the names of others. */
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
