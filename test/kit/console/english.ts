/** The console's texts in English, for tests that import a part of the console. Import it first. */
import { consoleLanguageOf } from '../../../spec/messages/console/catalog.ts'

globalThis.consoleLanguage = consoleLanguageOf('en')
