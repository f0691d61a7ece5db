/** Names the browser and the operating system of a user agent, if they are well known. */

import { format, messages } from '../messages.ts'

const { sessions: texts } = messages.accounts

/** The first match counts: most browsers include the names of others. */
const browsers = [
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

const maxLength = 60

export function describeDevice(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return texts.unknownDevice
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (browser === undefined) return userAgent.length > maxLength ? `${userAgent.slice(0, maxLength)} …` : userAgent
  return system === undefined ? browser : format(texts.device, { browser, system })
}
