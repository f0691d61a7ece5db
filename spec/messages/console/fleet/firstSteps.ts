/** The first steps of a new installation, on the inbox. */
import { defineMessages } from '../message.ts'

export const firstStepsMessages = defineMessages({
  title: { en: 'First steps', de: 'Erste Schritte', fr: 'Premiers pas', es: 'Primeros pasos', ja: '最初のステップ' },
  dismiss: {
    en: 'Hide first steps',
    de: 'Erste Schritte ausblenden',
    fr: 'Masquer les premiers pas',
    es: 'Ocultar los primeros pasos',
    ja: '最初のステップを隠す',
  },
  done: { en: 'Done:', de: 'Erledigt:', fr: 'Fait :', es: 'Hecho:', ja: '完了:' },
  open: { en: 'To do:', de: 'Offen:', fr: 'À faire :', es: 'Por hacer:', ja: '未完了:' },
  machine: {
    todo: {
      en: 'Connect a machine',
      de: 'Eine Maschine verbinden',
      fr: 'Connecter une machine',
      es: 'Conectar una máquina',
      ja: 'マシンを接続する',
    },
    done: {
      en: { one: '{count} machine connected', other: '{count} machines connected' },
      de: { one: '{count} Maschine verbunden', other: '{count} Maschinen verbunden' },
      fr: { one: '{count} machine connectée', other: '{count} machines connectées' },
      es: { one: '{count} máquina conectada', other: '{count} máquinas conectadas' },
      ja: { other: '{count} 台のマシンが接続中' },
    },
    action: {
      en: 'Add machine',
      de: 'Maschine hinzufügen',
      fr: 'Ajouter une machine',
      es: 'Añadir una máquina',
      ja: 'マシンを追加',
    },
  },
  repositories: {
    todo: {
      en: 'No repository was found in the folders of the machines',
      de: 'In den Ordnern der Maschinen wurde kein Repository gefunden',
      fr: 'Aucun dépôt n’a été trouvé dans les dossiers des machines',
      es: 'No se encontró ningún repositorio en las carpetas de las máquinas',
      ja: 'マシンのフォルダーにリポジトリが見つかりません',
    },
    later: {
      en: 'Repositories are found on the machine',
      de: 'Repositories werden auf der Maschine gefunden',
      fr: 'Les dépôts sont trouvés sur la machine',
      es: 'Los repositorios se encuentran en la máquina',
      ja: 'マシンのリポジトリが検出されます',
    },
    done: {
      en: { one: '{count} repository found', other: '{count} repositories found' },
      de: { one: '{count} Repository gefunden', other: '{count} Repositories gefunden' },
      fr: { one: '{count} dépôt trouvé', other: '{count} dépôts trouvés' },
      es: { one: '{count} repositorio encontrado', other: '{count} repositorios encontrados' },
      ja: { other: '{count} 件のリポジトリが見つかりました' },
    },
  },
  cli: {
    later: {
      en: 'A coding CLI is found on the machine',
      de: 'Ein Coding-CLI wird auf der Maschine gefunden',
      fr: 'Un CLI de codage est trouvé sur la machine',
      es: 'Se encuentra un CLI de programación en la máquina',
      ja: 'マシンのコーディング CLI が検出されます',
    },
    todo: {
      en: 'No coding CLI is available. Without one, runs can execute only shell commands.',
      de: 'Kein Coding-CLI ist verfügbar. Ohne eines können Läufe nur Shell-Befehle ausführen.',
      fr: 'Aucun CLI de codage n’est disponible. Sans lui, les exécutions ne peuvent lancer que des commandes shell.',
      es: 'No hay ningún CLI de programación disponible. Sin él, las ejecuciones solo pueden usar comandos de shell.',
      ja: 'コーディング CLI がありません。ない場合、実行できるのはシェルコマンドだけです。',
    },
    install: {
      en: 'What to install',
      de: 'Was installiert werden kann',
      fr: 'Que faut-il installer',
      es: 'Qué instalar',
      ja: 'インストールするもの',
    },
    done: {
      en: 'Coding CLI: {names}',
      de: 'Coding-CLI: {names}',
      fr: 'CLI de codage : {names}',
      es: 'CLI de programación: {names}',
      ja: 'コーディング CLI: {names}',
    },
  },
  run: {
    todo: {
      en: 'Start a first run',
      de: 'Einen ersten Lauf starten',
      fr: 'Lancer une première exécution',
      es: 'Iniciar una primera ejecución',
      ja: '最初の実行を始める',
    },
    action: {
      en: 'What should the agent do?',
      de: 'Was soll der Agent tun?',
      fr: 'Que doit faire l’agent ?',
      es: '¿Qué debe hacer el agente?',
      ja: 'エージェントに何をさせますか？',
    },
  },
})
