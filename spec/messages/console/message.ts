/**
 * The texts of the console. A text is beside its translations, so that one place shows whether they agree. A browser loads the texts
 * of one language.
 */
import type { Locale } from '../../pages/locales.ts'

/** A text whose form depends on `{count}`, by the categories of `Intl.PluralRules`. */
export interface PluralText {
  readonly one?: string
  readonly many?: string
  readonly other: string
}

export type Text = string | PluralText

/** A text in each language. Names in braces are replaced by values: `{count} runs`. */
export type Translations = Readonly<Record<Locale, Text>>

/** Texts by name, in groups of any depth. */
export interface TextTree {
  readonly [name: string]: Translations | TextTree
}

/** The names in the braces of a text. */
type NamesIn<T> = T extends PluralText
  ? NamesIn<T[keyof T]>
  : T extends `${string}{${infer Name}}${infer Rest}`
    ? Name | NamesIn<Rest>
    : never

declare const names: unique symbol

/** A text that has names in braces. It is shown only after they have been replaced. */
export type TextWith<Name extends string> = { readonly [names]: Name }

type Selected<T> = [NamesIn<T>] extends [never] ? string : TextWith<NamesIn<T>>

/** The texts of one language. The names in braces are those of the English text. */
export type MessagesOf<T> = {
  readonly [Name in keyof T]: T[Name] extends { readonly en: infer English extends Text }
    ? Selected<English>
    : MessagesOf<T[Name]>
}

/** Declares texts. The compiler reports a missing language. */
export function defineMessages<const T extends TextTree>(tree: T): T {
  return tree
}

export function isTranslations(node: Translations | TextTree): node is Translations {
  return typeof node.en === 'string' || typeof (node.en as PluralText | undefined)?.other === 'string'
}

/** Returns the texts of one language, as data that a browser loads. */
export function selectLanguage<T extends TextTree>(tree: T, locale: Locale): MessagesOf<T> {
  const entries = Object.entries(tree).map(([name, node]) => [
    name,
    isTranslations(node) ? node[locale] : selectLanguage(node, locale),
  ])
  return Object.fromEntries(entries)
}
