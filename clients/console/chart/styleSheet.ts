/** The style sheet of a chart. Its rules apply only to the theme's class, so that several charts in one page do not conflict. */
import { fonts } from './fonts.ts'
import type { Font } from './measure.ts'
import { type ChartPalette, darkPalette, lightPalette } from './palettes.ts'

export type ChartTheme = 'light' | 'dark' | 'auto'

const fontFamilies = `ui-sans-serif,system-ui,-apple-system,'Segoe UI',Inter,Roboto,'Helvetica Neue','Noto Sans','Liberation Sans',Arial,sans-serif`

export function createStyleSheet(theme: ChartTheme): string {
  const scope = `.statechart-${theme}`
  const sheets = [createShapeRules(scope), createColorRules(scope, theme === 'dark' ? darkPalette : lightPalette)]
  if (theme === 'auto') sheets.push(`@media (prefers-color-scheme:dark){${createColorRules(scope, darkPalette)}}`)
  return sheets.join('')
}

function createShapeRules(scope: string): string {
  const texts = Object.entries(fonts).map(([name, font]) => formatRule(scope, `.${name}`, formatFont(font)))
  return [
    formatRule(scope, 'text', `font-family:${fontFamilies};white-space:pre`),
    ...texts,
    formatRule(scope, '.line', 'fill:none;stroke-width:1.25'),
    formatRule(scope, '.taken .line', 'stroke-width:2.5'),
    formatRule(scope, '.box', 'stroke-width:1.25'),
    formatRule(scope, '.visited .box,.current .box', 'stroke-width:2'),
    formatRule(scope, '.inner', 'fill:none;stroke-width:1'),
    formatRule(scope, '.divider', 'stroke-width:1.25;stroke-dasharray:5 5'),
    formatRule(scope, '.ring', 'fill:none;stroke-width:1.2'),
  ].join('')
}

function formatFont({ size, bold = false, spacing = 0 }: Font): string {
  return `font-size:${size}px${bold ? ';font-weight:600' : ''}${spacing === 0 ? '' : `;letter-spacing:${spacing}em`}`
}

function createColorRules(scope: string, p: ChartPalette): string {
  const rules: [selectors: string, declarations: string][] = [
    ['.paper', `fill:${p.paper};stroke:${p.frame}`],
    ['.region', `fill:${p.region};stroke:${p.frame}`],
    ['.group', `fill:${p.group};stroke:${p.border}`],
    ['.divider', `stroke:${p.dash}`],
    ['.box', `fill:${p.state};stroke:${p.border}`],
    ['.terminal .box,.terminal .inner', `stroke:${p.terminal}`],
    ['.ring', `stroke:${p.line}`],
    ['.title,.name', `fill:${p.ink}`],
    ['.subtitle,.label,.internal,.guard,.way', `fill:${p.muted}`],
    ['.event,.sent', `fill:${p.ink}`],
    ['.event .guard', `fill:${p.muted}`],
    ['.line', `stroke:${p.line}`],
    ['.head,.dot', `fill:${p.line}`],
    ['.pill', `fill:${p.region}`],
    ['.within', `fill:${p.group}`],
    ['.taken .line,.visited .box,.visited .inner,.taken .ring', `stroke:${p.accent}`],
    ['.taken .head,.taken .dot,.event.used,.internal.used,.badge', `fill:${p.accent}`],
    ['.taken .pill', `fill:${p.tint}`],
    ['.visited .box', `fill:${p.tint}`],
    ['.current .box', `fill:${p.accent};stroke:${p.accent}`],
    ['.current .inner,.current .ring', `stroke:${p.accentInk}`],
    ['.current .name,.current .label,.current .internal,.step', `fill:${p.accentInk}`],
    ['.badge', `stroke:${p.paper}`],
  ]
  return rules.map(([selectors, declarations]) => formatRule(scope, selectors, declarations)).join('')
}

function formatRule(scope: string, selectors: string, declarations: string): string {
  const scoped = selectors.split(',').map((selector) => `${scope} ${selector}`)
  return `${scoped.join(',')}{${declarations}}`
}
