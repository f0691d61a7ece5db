/** What people read on their devices, in their language. */
export interface Texts {
  readonly profileName: string
  readonly profileDescription: string
  readonly doneTitle: string
  readonly doneText: string
}

const languages = {
  en: {
    profileName: 'Signalbox device enrolment',
    profileDescription:
      'Tells Signalbox the identifier, serial number, model, version and name of this device. Nothing on it is changed.',
    doneTitle: 'This device is enrolled',
    doneText: 'Signalbox knows this device now. You can close this page.',
  },
  de: {
    profileName: 'Signalbox: Gerät anmelden',
    profileDescription:
      'Teilt Signalbox Kennung, Seriennummer, Modell, Version und Namen dieses Geräts mit. Am Gerät wird nichts geändert.',
    doneTitle: 'Dieses Gerät ist angemeldet',
    doneText: 'Signalbox kennt dieses Gerät jetzt. Diese Seite kann geschlossen werden.',
  },
  fr: {
    profileName: 'Signalbox : enregistrer l’appareil',
    profileDescription:
      'Communique à Signalbox l’identifiant, le numéro de série, le modèle, la version et le nom de cet appareil. Rien n’y est modifié.',
    doneTitle: 'Cet appareil est enregistré',
    doneText: 'Signalbox connaît maintenant cet appareil. Vous pouvez fermer cette page.',
  },
  es: {
    profileName: 'Signalbox: registrar el dispositivo',
    profileDescription:
      'Comunica a Signalbox el identificador, el número de serie, el modelo, la versión y el nombre de este dispositivo. No se cambia nada en él.',
    doneTitle: 'Este dispositivo está registrado',
    doneText: 'Signalbox ya conoce este dispositivo. Puede cerrar esta página.',
  },
  ja: {
    profileName: 'Signalbox デバイス登録',
    profileDescription:
      'このデバイスの識別子、シリアル番号、モデル、バージョン、名前を Signalbox に送信します。デバイスの設定は変更されません。',
    doneTitle: 'このデバイスは登録されました',
    doneText: 'Signalbox にこのデバイスが登録されました。このページを閉じてください。',
  },
} as const satisfies Readonly<Record<string, Texts>>

export type Language = keyof typeof languages

export function textsOf(language: Language): Texts {
  return languages[language]
}

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag)

/** The one of ours that `Accept-Language` likes best, of equal ones the first; English where it likes none. */
export function languageOf(accepted: string | undefined): Language {
  let best: Language = 'en'
  let weight = 0
  for (const part of (accepted ?? '').slice(0, 1_000).split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const tag = range.split('-')[0] ?? ''
    const given = parameters.find((text) => text.startsWith('q='))
    const q = given === undefined ? 1 : Number(given.slice(2))
    if (isLanguage(tag) && q > weight) {
      best = tag
      weight = q
    }
  }
  return best
}
