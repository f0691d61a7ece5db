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
  measure: {
    label: { en: 'Color', de: 'Farbe', fr: 'Couleur', es: 'Color', ja: '色' },
    count: {
      en: 'Color: number of actors',
      de: 'Farbe: Anzahl der Aktoren',
      fr: 'Couleur : nombre d’acteurs',
      es: 'Color: número de actores',
      ja: '色: アクター数',
    },
    time: {
      en: 'Color: time in the state',
      de: 'Farbe: Zeit im Zustand',
      fr: 'Couleur : temps dans l’état',
      es: 'Color: tiempo en el estado',
      ja: '色: 状態にある時間',
    },
  },
  /** Times that half of the actors, 99 in 100 of them, and all of them have not exceeded. */
  stateTimes: {
    en: {
      one: '{count} actor; time in state: half at most {p50}, 99 in 100 at most {p99}, longest {longest}',
      other: '{count} actors; time in state: half at most {p50}, 99 in 100 at most {p99}, longest {longest}',
    },
    de: {
      one: '{count} Aktor; Zeit im Zustand: die Hälfte höchstens {p50}, 99 von 100 höchstens {p99}, längste {longest}',
      other:
        '{count} Aktoren; Zeit im Zustand: die Hälfte höchstens {p50}, 99 von 100 höchstens {p99}, längste {longest}',
    },
    fr: {
      one: '{count} acteur ; temps dans l’état : la moitié au plus {p50}, 99 sur 100 au plus {p99}, maximum {longest}',
      many: '{count} d’acteurs ; temps dans l’état : la moitié au plus {p50}, 99 sur 100 au plus {p99}, maximum {longest}',
      other:
        '{count} acteurs ; temps dans l’état : la moitié au plus {p50}, 99 sur 100 au plus {p99}, maximum {longest}',
    },
    es: {
      one: '{count} actor; tiempo en el estado: la mitad como máximo {p50}, 99 de 100 como máximo {p99}, el mayor {longest}',
      many: '{count} de actores; tiempo en el estado: la mitad como máximo {p50}, 99 de 100 como máximo {p99}, el mayor {longest}',
      other:
        '{count} actores; tiempo en el estado: la mitad como máximo {p50}, 99 de 100 como máximo {p99}, el mayor {longest}',
    },
    ja: {
      other: 'アクター {count} 件。状態にある時間: 半数は {p50} 以下、100 件中 99 件は {p99} 以下、最長 {longest}',
    },
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
    time: {
      en: 'Short to long time in the state (p50)',
      de: 'Kurze bis lange Zeit im Zustand (p50)',
      fr: 'D’un temps court à un temps long dans l’état (p50)',
      es: 'De poco a mucho tiempo en el estado (p50)',
      ja: '状態にある時間（p50）が短い～長い',
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
  machine: {
    title: { en: 'Machine', de: 'Automat', fr: 'Machine à états', es: 'Máquina de estados', ja: '状態機械' },
    states: { en: 'States', de: 'Zustände', fr: 'États', es: 'Estados', ja: '状態' },
    state: { en: 'State', de: 'Zustand', fr: 'État', es: 'Estado', ja: '状態' },
    waitsFor: { en: 'Waits for', de: 'Wartet auf', fr: 'Attend', es: 'Espera', ja: '待機対象' },
    deadlines: { en: 'Deadlines', de: 'Fristen', fr: 'Échéances', es: 'Plazos', ja: '期限' },
    events: { en: 'Events', de: 'Ereignisse', fr: 'Événements', es: 'Eventos', ja: 'イベント' },
    finalState: { en: 'final state', de: 'Endzustand', fr: 'état final', es: 'estado final', ja: '終了状態' },
    lease: {
      en: 'lease: {text}',
      de: 'Lease: {text}',
      fr: 'bail : {text}',
      es: 'concesión: {text}',
      ja: 'リース: {text}',
    },
    noDeadline: {
      en: 'no deadline: {reason}',
      de: 'keine Frist: {reason}',
      fr: 'pas d’échéance : {reason}',
      es: 'sin plazo: {reason}',
      ja: '期限なし: {reason}',
    },
    expected: {
      en: 'expected: {duration}',
      de: 'erwartet: {duration}',
      fr: 'attendu : {duration}',
      es: 'previsto: {duration}',
      ja: '想定: {duration}',
    },
    versions: { en: 'Versions', de: 'Versionen', fr: 'Versions', es: 'Versiones', ja: 'バージョン' },
    version: {
      en: 'Version {version}',
      de: 'Version {version}',
      fr: 'Version {version}',
      es: 'Versión {version}',
      ja: 'バージョン {version}',
    },
    firstUsed: {
      en: 'first used {time}',
      de: 'zuerst verwendet {time}',
      fr: 'utilisée pour la première fois {time}',
      es: 'usada por primera vez {time}',
      ja: '初回使用 {time}',
    },
    export: { en: 'Export', de: 'Exportieren', fr: 'Exporter', es: 'Exportar', ja: 'エクスポート' },
  },
})
