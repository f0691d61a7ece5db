/** The stuck actors, and one operator action on several of them. */
import { defineMessages } from '../message.ts'

export const stuckMessages = defineMessages({
  title: { en: 'Stuck', de: 'Festgefahren', fr: 'Bloqués', es: 'Atascados', ja: '停止中' },
  lead: {
    en: 'The actors that are stuck, with the cause. Open one to see its statechart, or select several for a common action.',
    de: 'Die festgefahrenen Aktoren mit der Ursache. Öffnen Sie einen, um sein Zustandsdiagramm zu sehen, oder wählen Sie mehrere für eine gemeinsame Aktion.',
    fr: 'Les acteurs bloqués, avec la cause. Ouvrez-en un pour voir son diagramme d’états, ou sélectionnez-en plusieurs pour une action commune.',
    es: 'Los actores atascados, con la causa. Abra uno para ver su diagrama de estados o seleccione varios para una acción común.',
    ja: '停止しているアクターとその原因です。開くと状態遷移図が表示されます。複数を選択すると、まとめて操作できます。',
  },
  empty: {
    title: {
      en: 'Nothing is stuck',
      de: 'Nichts ist festgefahren',
      fr: 'Rien n’est bloqué',
      es: 'No hay nada atascado',
      ja: '停止しているものはありません',
    },
    text: {
      en: 'Stuck actors appear here automatically, with their cause and what they wait for.',
      de: 'Festgefahrene Aktoren erscheinen hier automatisch, mit der Ursache und dem, worauf sie warten.',
      fr: 'Les acteurs bloqués apparaissent ici automatiquement, avec la cause et ce qu’ils attendent.',
      es: 'Los actores atascados aparecen aquí automáticamente, con la causa y lo que esperan.',
      ja: '停止したアクターは、原因と待機対象とともに自動的にここに表示されます。',
    },
  },
  selectAll: {
    en: 'Select all {total}',
    de: 'Alle {total} auswählen',
    fr: 'Sélectionner les {total}',
    es: 'Seleccionar los {total}',
    ja: '{total} 件すべて選択',
  },
  select: {
    en: 'Select {name}',
    de: '{name} auswählen',
    fr: 'Sélectionner {name}',
    es: 'Seleccionar {name}',
    ja: '{name} を選択',
  },
  causes: {
    OVERDUE: { en: 'Overdue.', de: 'Überfällig.', fr: 'En retard.', es: 'Con retraso.', ja: '期限超過。' },
    EFFECT_FAILED: {
      en: 'Failed effect: the effect has exhausted its attempts.',
      de: 'Fehlgeschlagener Effekt: Alle Versuche sind verbraucht.',
      fr: 'Effet en échec : toutes les tentatives ont échoué.',
      es: 'Efecto fallido: se han agotado los intentos.',
      ja: '作用の失敗: 試行回数の上限に達しました。',
    },
    QUARANTINED: {
      en: 'Quarantined: the server cannot process the actor. It tries again with growing pauses.',
      de: 'In Quarantäne: Der Server kann den Aktor nicht verarbeiten. Er versucht es mit wachsenden Pausen erneut.',
      fr: 'En quarantaine : le serveur ne peut pas traiter l’acteur. Il réessaie à des intervalles croissants.',
      es: 'En cuarentena: el servidor no puede procesar el actor. Lo reintenta con pausas cada vez más largas.',
      ja: '隔離中: サーバーがアクターを処理できません。間隔を広げながら再試行します。',
    },
    UNWATCHED: {
      en: 'Stranded: no timer, message or person can advance it.',
      de: 'Gestrandet: Kein Timer, keine Nachricht und kein Mensch kann den Aktor weiterbringen.',
      fr: 'Sans issue : aucun minuteur, message ou utilisateur ne peut le faire avancer.',
      es: 'Sin salida: ningún temporizador, mensaje o persona puede hacerlo avanzar.',
      ja: '孤立: タイマー、メッセージ、人のいずれでも先に進めません。',
    },
  },
  overdue: {
    en: 'Overdue: waiting for {awaited}.',
    de: 'Überfällig. Wartet auf: {awaited}.',
    fr: 'En retard. En attente de : {awaited}.',
    es: 'Con retraso. Espera: {awaited}.',
    ja: '期限超過。待機対象: {awaited}',
  },
  waited: {
    en: 'Was waiting for {awaited}.',
    de: 'Wartete auf: {awaited}.',
    fr: 'Attendait : {awaited}.',
    es: 'Esperaba: {awaited}.',
    ja: '待機していた対象: {awaited}',
  },
  failedAttempts: {
    en: { one: '{effect} failed {count} time: {problem}', other: '{effect} failed {count} times: {problem}' },
    de: {
      one: '{effect} ist {count} Mal fehlgeschlagen: {problem}',
      other: '{effect} ist {count} Mal fehlgeschlagen: {problem}',
    },
    fr: {
      one: '{effect} a échoué {count} fois : {problem}',
      many: '{effect} a échoué {count} fois : {problem}',
      other: '{effect} a échoué {count} fois : {problem}',
    },
    es: { one: '{effect} falló {count} vez: {problem}', other: '{effect} falló {count} veces: {problem}' },
    ja: '{effect} が {count} 回失敗しました: {problem}',
  },
  bulk: {
    selected: {
      en: '{count} selected',
      de: '{count} ausgewählt',
      fr: { one: '{count} sélectionné', many: '{count} sélectionnés', other: '{count} sélectionnés' },
      es: { one: '{count} seleccionado', other: '{count} seleccionados' },
      ja: '{count} 件選択中',
    },
    choose: {
      en: 'Select an action',
      de: 'Aktion auswählen',
      fr: 'Choisir une action',
      es: 'Elegir una acción',
      ja: '操作を選択',
    },
    noActions: {
      en: 'No actions available.',
      de: 'Keine Aktionen verfügbar.',
      fr: 'Aucune action disponible.',
      es: 'No hay acciones disponibles.',
      ja: '実行できる操作はありません。',
    },
    clear: {
      en: 'Clear selection',
      de: 'Auswahl aufheben',
      fr: 'Effacer la sélection',
      es: 'Borrar la selección',
      ja: '選択を解除',
    },
    noChange: { en: 'no change', de: 'keine Änderung', fr: 'aucun changement', es: 'sin cambios', ja: '変更なし' },
    done: { en: 'done', de: 'erledigt', fr: 'effectué', es: 'hecho', ja: '完了' },
    back: { en: 'Back', de: 'Zurück', fr: 'Retour', es: 'Volver', ja: '戻る' },
    close: { en: 'Close', de: 'Schließen', fr: 'Fermer', es: 'Cerrar', ja: '閉じる' },
    /** The button: an action of the API and the number of actors. */
    perform: {
      en: { one: '{action}: {count} actor', other: '{action}: {count} actors' },
      de: { one: '{action}: {count} Aktor', other: '{action}: {count} Aktoren' },
      fr: { one: '{action} : {count} acteur', many: '{action} : {count} acteurs', other: '{action} : {count} acteurs' },
      es: { one: '{action}: {count} actor', other: '{action}: {count} actores' },
      ja: '{action}: {count} 件のアクター',
    },
  },
})
