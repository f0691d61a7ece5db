/** The frame of all pages: head, brand, picture, and the choice of language. */
import { catalog } from '../../../spec/messages/catalog.ts'
import { type Locale, languageNames, locales } from '../../../spec/pages/locales.ts'
import { type PageName, pathOf, withTarget } from '../../../spec/pages/pagePaths.ts'
import type { PageSetting } from '../../../spec/pages/site.ts'
import { type Html, html } from '../html.ts'
import { panel } from './panel.ts'

/** Paths of the files that the pages need. */
export interface AssetPaths {
  readonly style: string
  readonly icon: string
  readonly authScript: string
  readonly console: string
  readonly consoleStyle: string
  readonly logReader: string
  /** The texts of the console by language. */
  readonly messages: Readonly<Record<Locale, string>>
}

/** Selects the colors, if the person has chosen them. */
export const themeAttribute = ({ theme }: PageSetting): Html | undefined => theme && html` data-theme="${theme}"`

export interface FramedPage {
  readonly setting: PageSetting
  readonly title: string
  readonly script?: string | undefined
  /** If undefined, the language links lead to the first page. */
  readonly page?: PageName
  readonly target?: string | undefined
  /** The initial state of the signal. */
  readonly signal?: 'caution' | 'clear' | 'stop'
  readonly main: Html
}

export function renderFrame(
  paths: AssetPaths,
  { setting, title, script, page = 'home', target, signal = 'caution', main }: FramedPage,
): string {
  const { locale } = setting
  const messages = catalog[locale].pages
  const fullTitle = title === 'Signalbox' ? title : `${title} · Signalbox`
  return html`<!doctype html>
<html lang="${locale}"${themeAttribute(setting)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${fullTitle}</title>
<link rel="icon" type="image/svg+xml" href="${paths.icon}">
<link rel="stylesheet" href="${paths.style}">
${script !== undefined && html`<script type="module" src="${script}"></script>`}
</head>
<body data-signal="${signal}">
<header class="brand"><a href="${pathOf('home', setting)}"><img src="${paths.icon}" alt="" width="32" height="32">Signalbox</a></header>
<aside class="picture">${panel}<p>${messages.tagline}</p></aside>
<main>${main}</main>
<footer><nav class="languages" aria-label="${messages.languages}"><ul>${locales.map((one) => {
    const href = withTarget(pathOf(page, { locale: one, localized: true }), target)
    const current = one === locale && html` aria-current="true"`
    return html`<li><a href="${href}" lang="${one}" hreflang="${one}"${current}>${languageNames[one]}</a></li>`
  })}</ul></nav></footer>
</body>
</html>
`.text
}
