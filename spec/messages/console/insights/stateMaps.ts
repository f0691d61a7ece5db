/** The state maps: every kind of lifecycle with its actors, and the map of one kind. */
import { defineMessages } from '../message.ts'

export const stateMapMessages = defineMessages({
  lead: {
    en: 'The live state of every kind of object. Open one to see its statechart.',
    de: 'Der aktuelle Zustand aller Arten von Objekten. Öffnen Sie eine, um ihr Zustandsdiagramm zu sehen.',
    fr: 'L’état actuel de chaque type d’objet. Ouvrez-en un pour voir son diagramme d’états.',
    es: 'El estado actual de cada tipo de objeto. Abra uno para ver su diagrama de estados.',
    ja: 'すべての種類のオブジェクトの現在の状態です。開くと状態遷移図が表示されます。',
  },
  oldest: {
    en: 'oldest {time}',
    de: 'ältester {time}',
    fr: 'le plus ancien {time}',
    es: 'el más antiguo {time}',
    ja: '最も古いもの {time}',
  },
  noActors: {
    en: 'No actors yet',
    de: 'Noch keine Aktoren',
    fr: 'Aucun acteur pour l’instant',
    es: 'Todavía no hay actores',
    ja: 'アクターはまだありません',
  },
  notFound: {
    en: 'There is no lifecycle {kind}.',
    de: 'Es gibt keinen Lebenszyklus {kind}.',
    fr: 'Il n’existe pas de cycle de vie {kind}.',
    es: 'No existe el ciclo de vida {kind}.',
    ja: 'ライフサイクル {kind} はありません。',
  },
  version: {
    en: 'Version {version}, first used {time}. Select a state to list its actors.',
    de: 'Version {version}, zuerst verwendet {time}. Wählen Sie einen Zustand, um seine Aktoren aufzulisten.',
    fr: 'Version {version}, utilisée pour la première fois {time}. Sélectionnez un état pour lister ses acteurs.',
    es: 'Versión {version}, usada por primera vez {time}. Seleccione un estado para ver sus actores.',
    ja: 'バージョン {version}、初回使用 {time}。状態を選択するとアクターが一覧表示されます。',
  },
  legend: {
    title: { en: 'Legend', de: 'Legende', fr: 'Légende', es: 'Leyenda', ja: '凡例' },
    figures: {
      en: 'Number of actors · time in the state: p50–p99',
      de: 'Anzahl der Aktoren · Zeit im Zustand: p50–p99',
      fr: 'Nombre d’acteurs · temps dans l’état : p50–p99',
      es: 'Número de actores · tiempo en el estado: p50–p99',
      ja: 'アクター数 · 状態にある時間: p50–p99',
    },
    heat: {
      en: 'Few to many actors',
      de: 'Wenige bis viele Aktoren',
      fr: 'De peu à beaucoup d’acteurs',
      es: 'De pocos a muchos actores',
      ja: 'アクターが少ない～多い',
    },
    terminal: {
      en: 'Terminal state: has no color',
      de: 'Endzustand: hat keine Farbe',
      fr: 'État final : sans couleur',
      es: 'Estado final: sin color',
      ja: '終了状態: 色はつきません',
    },
    rate: {
      en: 'Transitions by this arrow in the last {duration}, as a rate',
      de: 'Übergänge auf diesem Pfeil in den letzten {duration}, als Rate',
      fr: 'Transitions par cette flèche ces dernières {duration}, en fréquence',
      es: 'Transiciones por esta flecha en las últimas {duration}, como frecuencia',
      ja: '直近 {duration} のこの矢印の遷移（頻度）',
    },
  },
  bottlenecks: {
    title: {
      en: 'Bottlenecks',
      de: 'Engpässe',
      fr: 'Goulots d’étranglement',
      es: 'Cuellos de botella',
      ja: 'ボトルネック',
    },
    entry: {
      en: '{state}: +{rate}, {total} now',
      de: '{state}: +{rate}, jetzt {total}',
      fr: '{state} : +{rate}, {total} maintenant',
      es: '{state}: +{rate}, {total} ahora',
      ja: '{state}: +{rate}、現在 {total}',
    },
  },
  list: {
    newest: {
      en: 'Newest first',
      de: 'Neueste zuerst',
      fr: 'Les plus récents d’abord',
      es: 'Los más recientes primero',
      ja: '新しい順',
    },
    status: {
      en: 'Status: {status}',
      de: 'Status: {status}',
      fr: 'État : {status}',
      es: 'Estado: {status}',
      ja: '状態: {status}',
    },
    clear: {
      en: 'Clear filter',
      de: 'Filter löschen',
      fr: 'Effacer le filtre',
      es: 'Borrar el filtro',
      ja: '絞り込みを解除',
    },
    none: { en: 'No actors', de: 'Keine Aktoren', fr: 'Aucun acteur', es: 'No hay actores', ja: 'アクターなし' },
    label: { en: 'Actors', de: 'Aktoren', fr: 'Acteurs', es: 'Actores', ja: 'アクター' },
  },
})
