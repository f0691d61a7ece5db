/** The sessions of a signed-in user. */
import { defineMessages } from '../message.ts'

export const authSessionMessages = defineMessages({
  title: { en: 'Sessions', de: 'Sitzungen', fr: 'Sessions', es: 'Sesiones', ja: 'セッション' },
  note: {
    en: 'The browsers and apps that you signed in with. A session expires 30 days after its last use. The time of the last use is accurate to a day.',
    de: 'Die Browser und Apps, mit denen Sie sich angemeldet haben. Eine Sitzung läuft 30 Tage nach ihrer letzten Verwendung ab. Der Zeitpunkt der letzten Verwendung ist auf einen Tag genau.',
    fr: 'Les navigateurs et les applications avec lesquels vous vous êtes connecté. Une session expire 30 jours après sa dernière utilisation. Le moment de la dernière utilisation est précis à un jour près.',
    es: 'Los navegadores y las aplicaciones con los que inició sesión. Una sesión caduca 30 días después de su último uso. El momento del último uso tiene una precisión de un día.',
    ja: 'サインインに使ったブラウザーとアプリです。セッションは、最後に使ってから 30 日で期限切れになります。最終使用の日時には最大 1 日の誤差があります。',
  },
  showAll: {
    en: 'Show all {count} sessions',
    de: 'Alle {count} Sitzungen anzeigen',
    fr: 'Afficher les {count} sessions',
    es: 'Mostrar las {count} sesiones',
    ja: '{count} 件のセッションをすべて表示',
  },
  current: { en: 'this session', de: 'diese Sitzung', fr: 'cette session', es: 'esta sesión', ja: 'このセッション' },
  signedIn: {
    en: 'signed in {time}',
    de: 'angemeldet {time}',
    fr: 'ouverte {time}',
    es: 'iniciada {time}',
    ja: 'サインイン: {time}',
  },
  lastUsed: {
    en: 'last used {time}',
    de: 'zuletzt verwendet {time}',
    fr: 'utilisée pour la dernière fois {time}',
    es: 'usada por última vez {time}',
    ja: '最終使用: {time}',
  },
  expires: {
    en: 'expires {time} if not used',
    de: 'läuft {time} ab, wenn sie nicht verwendet wird',
    fr: 'expire {time} si elle n’est pas utilisée',
    es: 'caduca {time} si no se usa',
    ja: '使わない場合の期限: {time}',
  },
  end: { en: 'End', de: 'Beenden', fr: 'Terminer', es: 'Cerrar', ja: '終了' },
  endSession: {
    en: 'End session',
    de: 'Sitzung beenden',
    fr: 'Terminer la session',
    es: 'Cerrar la sesión',
    ja: 'セッションを終了',
  },
  endHint: {
    en: 'The device has to sign in again.',
    de: 'Auf dem Gerät ist eine neue Anmeldung nötig.',
    fr: 'Il faudra se reconnecter sur cet appareil.',
    es: 'En ese dispositivo habrá que iniciar sesión de nuevo.',
    ja: 'そのデバイスでは、もう一度サインインが必要になります。',
  },
  endOthers: {
    en: 'End other sessions',
    de: 'Andere Sitzungen beenden',
    fr: 'Terminer les autres sessions',
    es: 'Cerrar las otras sesiones',
    ja: 'ほかのセッションを終了',
  },
  endOthersHint: {
    en: {
      one: '{count} other session ends within a second. Only this session stays.',
      other: '{count} other sessions end within a second. Only this session stays.',
    },
    de: {
      one: '{count} andere Sitzung endet innerhalb einer Sekunde. Nur diese Sitzung bleibt.',
      other: '{count} andere Sitzungen enden innerhalb einer Sekunde. Nur diese Sitzung bleibt.',
    },
    fr: {
      one: '{count} autre session se termine en moins d’une seconde. Seule cette session reste ouverte.',
      other: '{count} autres sessions se terminent en moins d’une seconde. Seule cette session reste ouverte.',
    },
    es: {
      one: '{count} sesión más se cierra en menos de un segundo. Solo queda esta sesión.',
      other: '{count} sesiones más se cierran en menos de un segundo. Solo queda esta sesión.',
    },
    ja: { other: 'ほかのセッション {count} 件が 1 秒以内に終了します。このセッションだけが残ります。' },
  },
  device: {
    en: '{browser} on {system}',
    de: '{browser} auf {system}',
    fr: '{browser} sur {system}',
    es: '{browser} en {system}',
    ja: '{system} の {browser}',
  },
  unknownDevice: {
    en: 'Unknown program',
    de: 'Unbekanntes Programm',
    fr: 'Programme inconnu',
    es: 'Programa desconocido',
    ja: '不明なプログラム',
  },
})
