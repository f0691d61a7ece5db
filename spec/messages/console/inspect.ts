/** The connection of a lifecycle with Stately’s inspector. */
import { defineMessages } from './message.ts'

export const inspectMessages = defineMessages({
  start: {
    en: 'Inspect with Stately',
    de: 'Mit Stately untersuchen',
    fr: 'Inspecter avec Stately',
    es: 'Inspeccionar con Stately',
    ja: 'Stately で調べる',
  },
  open: {
    en: 'Open inspector',
    de: 'Inspektor öffnen',
    fr: 'Ouvrir l’inspecteur',
    es: 'Abrir el inspector',
    ja: 'インスペクターを開く',
  },
  disconnect: {
    en: 'Disconnect inspector',
    de: 'Inspektor trennen',
    fr: 'Déconnecter l’inspecteur',
    es: 'Desconectar el inspector',
    ja: 'インスペクターを切断',
  },
  connecting: {
    en: 'Waiting for {host} …',
    de: 'Warten auf {host} …',
    fr: 'En attente de {host} …',
    es: 'Esperando a {host} …',
    ja: '{host} を待っています…',
  },
  sent: {
    en: 'Sent to {host} up to transition {sequence}.',
    de: 'Bis Übergang {sequence} an {host} gesendet.',
    fr: 'Envoyé à {host} jusqu’à la transition {sequence}.',
    es: 'Enviado a {host} hasta la transición {sequence}.',
    ja: '{host} に遷移 {sequence} まで送信しました。',
  },
  closed: {
    en: 'The inspector window was closed.',
    de: 'Das Fenster des Inspektors wurde geschlossen.',
    fr: 'La fenêtre de l’inspecteur a été fermée.',
    es: 'La ventana del inspector se cerró.',
    ja: 'インスペクターのウィンドウが閉じられました。',
  },
  notOpened: {
    en: 'The browser did not open the window. Allow this site to open windows, and try again.',
    de: 'Der Browser hat das Fenster nicht geöffnet. Erlauben Sie dieser Seite, Fenster zu öffnen, und versuchen Sie es noch einmal.',
    fr: 'Le navigateur n’a pas ouvert la fenêtre. Autorisez ce site à ouvrir des fenêtres, puis réessayez.',
    es: 'El navegador no abrió la ventana. Permita que este sitio abra ventanas e inténtelo de nuevo.',
    ja: 'ブラウザーがウィンドウを開きませんでした。このサイトにウィンドウを開くことを許可して、もう一度お試しください。',
  },
  description: {
    en: 'The transitions of this actor are sent to a page of {host}, which opens in another window of this browser. The loaded transitions are sent first, then each new one until you leave this page or close that window. They have the data that the journal shows: events with their payloads, states and changes.',
    de: 'Die Übergänge dieses Aktors werden an eine Seite von {host} gesendet, die sich in einem anderen Fenster dieses Browsers öffnet. Zuerst werden die geladenen Übergänge gesendet, danach jeder neue, bis Sie diese Seite verlassen oder jenes Fenster schließen. Sie enthalten die Daten, die das Journal zeigt: Ereignisse mit ihren Nutzdaten, Zustände und Änderungen.',
    fr: 'Les transitions de cet acteur sont envoyées à une page de {host}, qui s’ouvre dans une autre fenêtre de ce navigateur. Les transitions chargées sont envoyées d’abord, puis chaque nouvelle transition, jusqu’à ce que vous quittiez cette page ou fermiez cette fenêtre. Elles contiennent les données que montre le journal : les événements avec leurs données, les états et les changements.',
    es: 'Las transiciones de este actor se envían a una página de {host}, que se abre en otra ventana de este navegador. Primero se envían las transiciones cargadas y después cada transición nueva, hasta que salga de esta página o cierre esa ventana. Contienen los datos que muestra el diario: eventos con sus datos, estados y cambios.',
    ja: 'このアクターの遷移は、このブラウザーの別のウィンドウで開く {host} のページに送信されます。まず読み込み済みの遷移が送信され、その後は、このページを離れるかそのウィンドウを閉じるまで、新しい遷移が順に送信されます。送信されるのはジャーナルに表示されるデータ、つまりイベントとそのペイロード、状態、変更です。',
  },
  /** Replaces the host in the description while the address has none. */
  addressBelow: {
    en: 'the address below',
    de: 'der Adresse unten',
    fr: 'l’adresse ci-dessous',
    es: 'la dirección de abajo',
    ja: '下記のアドレス',
  },
  address: { en: 'Address', de: 'Adresse', fr: 'Adresse', es: 'Dirección', ja: 'アドレス' },
  addressHint: {
    en: 'of Stately’s inspector, or of one that you host',
    de: 'des Inspektors von Stately oder eines Inspektors, den Sie selbst betreiben',
    fr: 'de l’inspecteur de Stately, ou d’un inspecteur que vous hébergez',
    es: 'del inspector de Stately o de uno que usted aloje',
    ja: 'Stately のインスペクター、または自分でホストするインスペクターのもの',
  },
  invalidAddress: {
    en: 'The address of an inspector begins with https:// or http://.',
    de: 'Die Adresse eines Inspektors beginnt mit https:// oder http://.',
    fr: 'L’adresse d’un inspecteur commence par https:// ou http://.',
    es: 'La dirección de un inspector empieza por https:// o http://.',
    ja: 'インスペクターのアドレスは https:// または http:// で始まります。',
  },
})
