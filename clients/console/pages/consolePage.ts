/** The page of the console. It contains the frame already, so that the first paint does not wait for a script. */
import { shellMessages } from '../../../spec/messages/console/shell.ts'
import { pathOf } from '../../../spec/pages/pagePaths.ts'
import type { View } from '../../../spec/pages/site.ts'
import { embedData, html } from '../html.ts'
import type { ConsolePageData } from './pageData.ts'
import { type AssetPaths, themeAttribute } from './pageFrame.ts'

export type ConsoleView = Extract<View, { page: 'console' }>

export function renderConsolePage(view: ConsoleView, paths: AssetPaths): string {
  const { name, email, sandbox } = view
  const { logReader } = paths
  const pageData: ConsolePageData = { name, email, sandbox, logReader, signIn: pathOf('signIn', view) }
  return html`<!doctype html>
<html lang="${view.locale}"${themeAttribute(view)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Signalbox</title>
<link rel="icon" type="image/svg+xml" href="${paths.icon}">
<link rel="stylesheet" href="${paths.consoleStyle}">
<script type="module" src="${paths.messages[view.locale]}"></script>
<script type="module" src="${paths.console}"></script>
</head>
<body>
<div id="app"><div class="shell" data-connection="connecting">
<header class="sidebar"><a class="brand" href="/"><span class="brand-signal" aria-hidden="true"></span>Signalbox</a></header>
<main id="main"><noscript><p class="message">${shellMessages.noScript[view.locale]}</p></noscript></main>
</div></div>
${embedData('page-data', pageData)}
</body>
</html>
`.text
}
