/** The style sheet of a chart. Its rules apply only to the theme's class, so that several charts in one page do not conflict. */
import { faces } from './faces.ts'
import type { Face } from './measure.ts'
import { dark, light, type Palette } from './palettes.ts'

export type Theme = 'light' | 'dark' | 'auto'

const fonts = `ui-sans-serif,system-ui,-apple-system,'Segoe UI',Inter,Roboto,'Helvetica Neue','Noto Sans','Liberation Sans',Arial,sans-serif`

export function styleSheet(theme: Theme): string {
  const scope = `.statechart-${theme}`
  const sheets = [shapes(scope), colours(scope, theme === 'dark' ? dark : light)]
  if (theme === 'auto') sheets.push(`@media (prefers-color-scheme:dark){${colours(scope, dark)}}`)
  return sheets.join('')
}

function shapes(scope: string): string {
  const texts = Object.entries(faces).map(([name, face]) => rule(scope, `.${name}`, faceRule(face)))
  return [
    rule(scope, 'text', `font-family:${fonts};white-space:pre`),
    ...texts,
    rule(scope, '.line', 'fill:none;stroke-width:1.25'),
    rule(scope, '.taken .line', 'stroke-width:2.5'),
    rule(scope, '.box', 'stroke-width:1.25'),
    rule(scope, '.visited .box,.current .box', 'stroke-width:2'),
    rule(scope, '.inner', 'fill:none;stroke-width:1'),
    rule(scope, '.divider', 'stroke-width:1.25;stroke-dasharray:5 5'),
    rule(scope, '.ring', 'fill:none;stroke-width:1.2'),
  ].join('')
}

function faceRule({ size, bold = false, spacing = 0 }: Face): string {
  return `font-size:${size}px${bold ? ';font-weight:600' : ''}${spacing === 0 ? '' : `;letter-spacing:${spacing}em`}`
}

function colours(scope: string, p: Palette): string {
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
    ['.event,.told', `fill:${p.ink}`],
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
  return rules.map(([selectors, declarations]) => rule(scope, selectors, declarations)).join('')
}

function rule(scope: string, selectors: string, declarations: string): string {
  const scoped = selectors.split(',').map((selector) => `${scope} ${selector}`)
  return `${scoped.join(',')}{${declarations}}`
}
