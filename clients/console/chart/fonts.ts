import type { Font } from './measure.ts'

/** The fonts of a chart. Sizes are for a picture at its original size. The smallest is 10. */
export const fonts = {
  title: { size: 20, bold: true },
  subtitle: { size: 13 },
  name: { size: 12.5, bold: true, spacing: 0.03 },
  label: { size: 11 },
  internal: { size: 10.5 },
  event: { size: 11 },
  step: { size: 10, bold: true },
  way: { size: 11.5 },
} as const satisfies Record<string, Font>

export type FontName = keyof typeof fonts
