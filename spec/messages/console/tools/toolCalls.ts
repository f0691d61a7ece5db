/** The audit of tool calls and its filters. */
import { defineMessages } from '../message.ts'

export const toolCallMessages = defineMessages({
  calls: {
    lead: {
      en: 'All tool calls over MCP and REST. New calls appear automatically.',
      de: 'Alle Werkzeugaufrufe über MCP und REST. Neue Aufrufe erscheinen automatisch.',
      fr: 'Tous les appels d’outils par MCP et REST. Les nouveaux appels apparaissent automatiquement.',
      es: 'Todas las llamadas a herramientas por MCP y REST. Las llamadas nuevas aparecen automáticamente.',
      ja: 'MCP と REST によるすべてのツール呼び出しです。新しい呼び出しは自動的に表示されます。',
    },
    label: {
      en: 'Tool calls',
      de: 'Werkzeugaufrufe',
      fr: 'Appels d’outils',
      es: 'Llamadas a herramientas',
      ja: 'ツール呼び出し',
    },
    count: {
      en: { one: '{count} call', other: '{count} calls' },
      de: { one: '{count} Aufruf', other: '{count} Aufrufe' },
      fr: { one: '{count} appel', other: '{count} appels' },
      es: { one: '{count} llamada', other: '{count} llamadas' },
      ja: { other: '{count} 件の呼び出し' },
    },
    loadedCount: {
      en: {
        one: '{count} call loaded. Scroll to load more.',
        other: '{count} calls loaded. Scroll to load more.',
      },
      de: {
        one: '{count} Aufruf geladen. Scrollen Sie, um mehr zu laden.',
        other: '{count} Aufrufe geladen. Scrollen Sie, um mehr zu laden.',
      },
      fr: {
        one: '{count} appel chargé. Faites défiler pour charger la suite.',
        other: '{count} appels chargés. Faites défiler pour charger la suite.',
      },
      es: {
        one: '{count} llamada cargada. Desplácese para cargar más.',
        other: '{count} llamadas cargadas. Desplácese para cargar más.',
      },
      ja: { other: '{count} 件の呼び出しを読み込みました。スクロールすると続きを読み込みます。' },
    },
    none: {
      en: 'No calls yet',
      de: 'Noch keine Aufrufe',
      fr: 'Aucun appel',
      es: 'Aún no hay llamadas',
      ja: '呼び出しはまだありません',
    },
    noneHint: {
      en: 'The calls of AI clients and runs over MCP, and those over REST, appear here.',
      de: 'Hier erscheinen die Aufrufe von KI-Clients und Läufen über MCP und die Aufrufe über REST.',
      fr: 'Les appels des clients IA et des exécutions par MCP, et ceux par REST, apparaissent ici.',
      es: 'Aquí aparecen las llamadas de clientes de IA y ejecuciones por MCP, y las que se hacen por REST.',
      ja: 'AI クライアントと実行による MCP 経由の呼び出しと、REST 経由の呼び出しがここに表示されます。',
    },
    noMatchesHint: {
      en: 'Change or clear the filters. Calls are stored for AUDIT_RETENTION_DAYS.',
      de: 'Ändern oder löschen Sie die Filter. Aufrufe werden so lange gespeichert, wie AUDIT_RETENTION_DAYS angibt.',
      fr: 'Modifiez ou effacez les filtres. Les appels sont conservés pendant AUDIT_RETENTION_DAYS.',
      es: 'Cambie o borre los filtros. Las llamadas se guardan durante AUDIT_RETENTION_DAYS.',
      ja: 'フィルターを変更または解除してください。呼び出しは AUDIT_RETENTION_DAYS の期間保存されます。',
    },
    noToolName: {
      en: 'no tool name',
      de: 'kein Werkzeugname',
      fr: 'aucun nom d’outil',
      es: 'sin nombre de herramienta',
      ja: 'ツール名なし',
    },
    arguments: {
      en: 'arguments {hash}',
      de: 'Argumente {hash}',
      fr: 'arguments {hash}',
      es: 'argumentos {hash}',
      ja: '引数 {hash}',
    },
    request: {
      en: 'Request {id}',
      de: 'Anfrage {id}',
      fr: 'Requête {id}',
      es: 'Petición {id}',
      ja: 'リクエスト {id}',
    },
    /** The interface of the call, after the name of the caller. */
    sources: {
      rest: { en: 'over REST', de: 'über REST', fr: 'par REST', es: 'por REST', ja: 'REST 経由' },
      mcp: { en: 'over MCP', de: 'über MCP', fr: 'par MCP', es: 'por MCP', ja: 'MCP 経由' },
      run: {
        en: 'in run {run}',
        de: 'im Lauf {run}',
        fr: 'dans l’exécution {run}',
        es: 'en la ejecución {run}',
        ja: '実行: {run}',
      },
      preset: {
        en: 'with preset {preset}',
        de: 'mit Preset {preset}',
        fr: 'avec le préréglage {preset}',
        es: 'con el preajuste {preset}',
        ja: 'プリセット: {preset}',
      },
    },
    filters: {
      any: { en: 'any', de: 'alle', fr: 'tous', es: 'cualquiera', ja: 'すべて' },
      outcome: { en: 'Outcome', de: 'Ergebnis', fr: 'Résultat', es: 'Resultado', ja: '結果' },
      failed: {
        en: 'all failures',
        de: 'alle Fehlschläge',
        fr: 'tous les échecs',
        es: 'todos los fallos',
        ja: 'すべての失敗',
      },
      server: { en: 'Server', de: 'Server', fr: 'Serveur', es: 'Servidor', ja: 'サーバー' },
      olderServers: {
        en: { one: '{count} older server is not listed', other: '{count} older servers are not listed' },
        de: {
          one: '{count} älterer Server ist nicht aufgeführt',
          other: '{count} ältere Server sind nicht aufgeführt',
        },
        fr: {
          one: '{count} serveur plus ancien n’est pas affiché',
          other: '{count} serveurs plus anciens ne sont pas affichés',
        },
        es: {
          one: '{count} servidor más antiguo no se muestra',
          other: '{count} servidores más antiguos no se muestran',
        },
        ja: { other: '古いサーバー {count} 台は表示されていません' },
      },
      tool: { en: 'Tool', de: 'Werkzeug', fr: 'Outil', es: 'Herramienta', ja: 'ツール' },
      toolHint: {
        en: 'full name',
        de: 'vollständiger Name',
        fr: 'nom complet',
        es: 'nombre completo',
        ja: '完全な名前',
      },
      more: {
        en: 'More filters',
        de: 'Weitere Filter',
        fr: 'Plus de filtres',
        es: 'Más filtros',
        ja: 'その他のフィルター',
      },
      caller: { en: 'Caller', de: 'Aufrufer', fr: 'Appelant', es: 'Autor de la llamada', ja: '呼び出し元' },
      callerHint: {
        en: 'usr_… or key_…',
        de: 'usr_… oder key_…',
        fr: 'usr_… ou key_…',
        es: 'usr_… o key_…',
        ja: 'usr_… か key_…',
      },
      scope: {
        en: 'Preset or run',
        de: 'Preset oder Lauf',
        fr: 'Préréglage ou exécution',
        es: 'Preajuste o ejecución',
        ja: 'プリセットまたは実行',
      },
      scopeHint: {
        en: 'mtp_… or run_…',
        de: 'mtp_… oder run_…',
        fr: 'mtp_… ou run_…',
        es: 'mtp_… o run_…',
        ja: 'mtp_… か run_…',
      },
      request: {
        en: 'Request ID',
        de: 'ID der Anfrage',
        fr: 'ID de la requête',
        es: 'ID de la petición',
        ja: 'リクエスト ID',
      },
      from: { en: 'From', de: 'Von', fr: 'Du', es: 'Desde', ja: '開始' },
      to: { en: 'Until', de: 'Bis', fr: 'Au', es: 'Hasta', ja: '終了' },
    },
  },
})
