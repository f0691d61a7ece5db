/** The page of the console. It contains the frame already, so that the first paint does not wait for a script. */
import { pathOf } from '../../../spec/pages/pagePaths.ts'
import type { View } from '../../../spec/pages/site.ts'
import { data, html } from '../html.ts'
import type { ConsoleFacts } from './facts.ts'
import type { Hrefs } from './frame.ts'

export type ConsoleView = Extract<View, { page: 'console' }>

export function consolePage(view: ConsoleView, hrefs: Hrefs): string {
  const { name, email, sandbox } = view
  const { logReader, chartEngine } = hrefs
  const facts: ConsoleFacts = { name, email, sandbox, logReader, chartEngine, signIn: pathOf('signIn', view) }
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Signalbox</title>
<link rel="icon" type="image/svg+xml" href="${hrefs.icon}">
<link rel="stylesheet" href="${hrefs.consoleStyle}">
<script type="module" src="${hrefs.console}"></script>
</head>
<body>
<div id="app"><div class="shell" data-line="connecting">
<header class="rail"><a class="brand" href="/"><span class="aspect" aria-hidden="true"></span>Signalbox</a></header>
<main id="main"><noscript><p class="message">The console is made by scripts, which this browser does not run.</p></noscript></main>
</div></div>
${data('facts', facts)}
</body>
</html>
`.text
}
