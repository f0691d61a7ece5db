/** The page that a device opens after it has enrolled. */

import { createHash } from 'node:crypto'
import { catalog } from '../../../../spec/messages/catalog.ts'
import type { Locale } from '../../../../spec/pages/locales.ts'
import type { Answer } from '../../../http/route.ts'

const style =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:30rem;margin:20vh auto;padding:0 1.5rem;text-align:center}@media(prefers-color-scheme:dark){body{background:#111;color:#eee}}'
const styleHash = createHash('sha256').update(style).digest('base64')

/** The policy allows only this style. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export function donePage(locale: Locale): Answer {
  const { doneTitle, doneText } = catalog[locale].enrollment
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': locale,
      vary: 'accept-language',
      'content-security-policy': policy,
    },
    body: `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${doneTitle}</title>
<style>${style}</style>
</head>
<body>
<h1>${doneTitle}</h1>
<p>${doneText}</p>
</body>
</html>
`,
  }
}
