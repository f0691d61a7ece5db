/** The texts of the console, in the language of the page. A script that the page loads before this one has them. */
import type { ComponentChildren } from 'preact'
import type { ConsoleMessages } from '../../../spec/messages/console/catalog.ts'
import type { PluralText, TextWith } from '../../../spec/messages/console/message.ts'

export const { locale } = globalThis.consoleLanguage
export const messages: ConsoleMessages = globalThis.consoleLanguage.messages

/** Numbers are shown as the language writes them. `count` also selects the plural form. */
type Values<Name extends string> = Readonly<Record<Name, string | number>>

const pluralRules = new Intl.PluralRules(locale)
const numberFormat = new Intl.NumberFormat(locale)

/** Replaces the names in braces. A value is not searched for names: a run may have the name `{name}`. */
export function format<Name extends string>(message: TextWith<Name>, values: Values<Name>): string {
  return selectForm(message, values).replace(/\{(\w+)\}/g, (_braces, name: Name) => formatValue(values[name]))
}

/** As `format`, with values that are elements, such as links. */
export function formatParts<Name extends string>(
  message: TextWith<Name>,
  values: Readonly<Record<Name, ComponentChildren>>,
): ComponentChildren[] {
  // The parts at odd indexes are the names.
  return selectForm(message, values)
    .split(/\{(\w+)\}/)
    .map((part, index) => {
      if (index % 2 === 0) return part
      const value: ComponentChildren = values[part as Name]
      return typeof value === 'number' ? formatNumber(value) : value
    })
}

/** Returns a number as the language of the page writes it. */
export function formatNumber(value: number): string {
  return numberFormat.format(value)
}

function formatValue(value: string | number): string {
  return typeof value === 'number' ? formatNumber(value) : value
}

function selectForm(message: unknown, values: { readonly count?: unknown }): string {
  if (typeof message === 'string') return message
  const forms = message as PluralText
  const category = pluralRules.select(Number(values.count))
  return (category === 'one' || category === 'many' ? forms[category] : undefined) ?? forms.other
}
