/** The page of the user's notifications. */
import { defineMessages } from './message.ts'

export const notificationMessages = defineMessages({
  unreadOnly: {
    en: 'Unread only',
    de: 'Nur ungelesene',
    fr: 'Non lues seulement',
    es: 'Solo no leídas',
    ja: '未読のみ',
  },
  markAll: {
    en: 'Mark all as read',
    de: 'Alle als gelesen markieren',
    fr: 'Tout marquer comme lu',
    es: 'Marcar todo como leído',
    ja: 'すべて既読にする',
  },
  mark: {
    en: 'Mark as read',
    de: 'Als gelesen markieren',
    fr: 'Marquer comme lue',
    es: 'Marcar como leída',
    ja: '既読にする',
  },
  markUpTo: {
    en: 'Mark up to here',
    de: 'Bis hier markieren',
    fr: 'Marquer jusqu’ici',
    es: 'Marcar hasta aquí',
    ja: 'ここまで既読にする',
  },
  markUpToHint: {
    en: 'Marks this notification and all older ones as read',
    de: 'Markiert diese und alle älteren Benachrichtigungen als gelesen',
    fr: 'Marque cette notification et toutes les plus anciennes comme lues',
    es: 'Marca esta notificación y todas las anteriores como leídas',
    ja: 'この通知と、それより古いすべての通知を既読にします',
  },
  devices: {
    en: 'Devices that are notified',
    de: 'Geräte, die benachrichtigt werden',
    fr: 'Appareils prévenus',
    es: 'Dispositivos que reciben avisos',
    ja: '通知を受け取るデバイス',
  },
  read: { en: 'Read', de: 'Gelesen', fr: 'Lue', es: 'Leída', ja: '既読' },
  total: {
    en: {
      one: '{count} notification. Each is deleted after {days} days.',
      other: '{count} notifications. Each is deleted after {days} days.',
    },
    de: {
      one: '{count} Benachrichtigung. Sie wird nach {days} Tagen gelöscht.',
      other: '{count} Benachrichtigungen. Jede wird nach {days} Tagen gelöscht.',
    },
    fr: {
      one: '{count} notification. Elle est supprimée après {days} jours.',
      other: '{count} notifications. Chacune est supprimée après {days} jours.',
    },
    es: {
      one: '{count} notificación. Se elimina después de {days} días.',
      other: '{count} notificaciones. Cada una se elimina después de {days} días.',
    },
    ja: { other: '通知 {count} 件。{days} 日後に削除されます。' },
  },
  none: {
    en: 'No notifications yet',
    de: 'Noch keine Benachrichtigungen',
    fr: 'Aucune notification',
    es: 'Aún no hay notificaciones',
    ja: '通知はまだありません',
  },
  noneHint: {
    en: 'You are notified when a run waits for your answer, when a run or a plan ends, when a failure needs a person, and when a machine is lost.',
    de: 'Sie werden benachrichtigt, wenn ein Lauf auf Ihre Antwort wartet, wenn ein Lauf oder ein Plan endet, wenn eine Störung einen Menschen braucht und wenn eine Maschine verloren ist.',
    fr: 'Vous êtes prévenu lorsqu’une exécution attend votre réponse, lorsqu’une exécution ou un plan se termine, lorsqu’un incident demande une intervention et lorsqu’une machine est perdue.',
    es: 'Recibe un aviso cuando una ejecución espera su respuesta, cuando termina una ejecución o un plan, cuando un fallo necesita a una persona y cuando se pierde una máquina.',
    ja: '実行が回答を待っているとき、実行またはプランが終了したとき、障害に人の対応が必要なとき、マシンが失われたときに通知されます。',
  },
  noneUnread: {
    en: 'No unread notifications',
    de: 'Keine ungelesenen Benachrichtigungen',
    fr: 'Aucune notification non lue',
    es: 'No hay notificaciones sin leer',
    ja: '未読の通知はありません',
  },
  showAll: {
    en: 'Show all notifications',
    de: 'Alle Benachrichtigungen anzeigen',
    fr: 'Afficher toutes les notifications',
    es: 'Mostrar todas las notificaciones',
    ja: 'すべての通知を表示',
  },
})
