/** What people read on their devices, in their language. */
import type { Locale } from '../../../../spec/pages/locales.ts'

export interface Texts {
  readonly profileName: string
  readonly profileDescription: string
  readonly doneTitle: string
  readonly doneText: string
}

const languages: Readonly<Record<Locale, Texts>> = {
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
}

export function textsOf(locale: Locale): Texts {
  return languages[locale]
}
