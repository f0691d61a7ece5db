/** Templates for markup. Values are escaped as text, unless they are markup themselves. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type HtmlPart = Html | string | number | undefined | false | readonly HtmlPart[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function writeHtml(part: HtmlPart): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(writeHtml).join('')
  return String(part).replace(/[&<>"']/g, (sign) => entities[sign] ?? '')
}

export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.reduce((text, string, index) => text + writeHtml(parts[index - 1]) + string))
}

/** Data for a script of the page, in a block that is not executed. */
export function embedData(id: string, value: unknown): Html {
  const text = JSON.stringify(value).replace(/</g, '\\u003c')
  return new Html(`<script type="application/json" id="${id}">${text}</script>`)
}
