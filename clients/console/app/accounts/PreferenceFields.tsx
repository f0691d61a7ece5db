/** The language and the colors of the console. The server reads them from cookies, so that a page is right from its first paint. */
import { languageNames, locales } from '../../../../spec/pages/locales.ts'
import { preferenceCookies, readPreferences, themes } from '../../../../spec/pages/preferences.ts'
import { locale, messages } from '../messages.ts'

const yearSeconds = 31_536_000

function setCookie(name: string, value: string): void {
  const age = value === '' ? 0 : yearSeconds
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists only on pages that are served with TLS
  document.cookie = `${name}=${value}; Path=/; Max-Age=${age}; SameSite=Lax`
}

export function PreferenceFields() {
  return (
    <div class="field-columns">
      <ThemeField />
      <LanguageField />
    </div>
  )
}

function ThemeField() {
  const { label, system, ...names } = messages.accounts.own.theme
  const current = readPreferences(document.cookie).theme ?? ''
  const change = (theme: string) => {
    setCookie(preferenceCookies.theme, theme)
    if (theme === '') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }
  return (
    <div class="field">
      <label for="field-theme">{label}</label>
      <select id="field-theme" name="theme" onChange={({ currentTarget }) => change(currentTarget.value)}>
        <option value="">{system}</option>
        {themes.map((theme) => (
          <option key={theme} value={theme} selected={theme === current}>
            {names[theme]}
          </option>
        ))}
      </select>
    </div>
  )
}

function LanguageField() {
  const change = (language: string) => {
    setCookie(preferenceCookies.language, language)
    // The texts are loaded with the page.
    location.reload()
  }
  return (
    <div class="field">
      <label for="field-language">{messages.accounts.own.language}</label>
      <select id="field-language" name="language" onChange={({ currentTarget }) => change(currentTarget.value)}>
        {locales.map((one) => (
          <option key={one} value={one} lang={one} selected={one === locale}>
            {languageNames[one]}
          </option>
        ))}
      </select>
    </div>
  )
}
