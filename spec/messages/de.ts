import type { Messages } from './messages.ts'

export const de: Messages = {
  pages: {
    languages: 'Sprache',
    tagline: 'Jeder Agent, jede Warteschlange und jeder Lauf ist ein dauerhafter Zustandsautomat.',
    signIn: {
      title: 'Anmelden',
      lead: 'Sehen Sie, was Ihre Agenten tun.',
      submit: 'Anmelden',
      busy: 'Anmeldung läuft …',
      toRegister: 'Konto anlegen',
      closed: 'Kein Konto? Jeder Benutzer dieses Servers kann Ihnen eines anlegen.',
    },
    register: {
      title: 'Konto anlegen',
      firstTitle: 'Das erste Konto anlegen',
      lead: 'Die Registrierung ist auf diesem Server offen.',
      firstLead: 'Dieser Server ist neu. Das erste Konto öffnet ihn und schließt die Registrierung hinter sich.',
      submit: 'Konto anlegen',
      busy: 'Das Konto wird angelegt …',
      toSignIn: 'Mit einem vorhandenen Konto anmelden',
      closedTitle: 'Die Registrierung ist geschlossen',
      closedLead:
        'Bitten Sie einen Benutzer dieses Servers, Ihnen ein Konto anzulegen oder die Registrierung zu öffnen.',
    },
    provider: {
      signIn: 'Mit {provider} anmelden',
      register: 'Weiter mit {provider}',
      busy: 'Weiter zu {provider} …',
      or: 'oder',
    },
    fields: {
      name: 'Ihr Name',
      email: 'E-Mail-Adresse',
      password: 'Passwort',
      newPassword: 'Neues Passwort',
      passwordRule: '8 bis 128 Zeichen. Ein paar Wörter hintereinander sind stark und leicht zu merken.',
      show: 'Passwort anzeigen',
      hide: 'Passwort verbergen',
    },
    problems: {
      wrongPassword: 'Die E-Mail-Adresse oder das Passwort stimmt nicht.',
      emailTaken: 'Mit dieser E-Mail-Adresse gibt es ein Konto. Melden Sie sich damit an, oder nehmen Sie eine andere.',
      registrationClosed: 'Die Registrierung ist geschlossen. Bitten Sie einen Benutzer dieses Servers um ein Konto.',
      wayTurnedOff: 'Diese Art der Anmeldung wurde abgeschaltet. Laden Sie die Seite neu, um die übrigen zu sehen.',
      rateLimited: 'Zu viele Versuche. Versuchen Sie es {when} wieder.',
      invalidOrigin:
        'Der Server traut der Adresse nicht, unter der Sie diese Seite geöffnet haben. Öffnen Sie sie unter ihrer öffentlichen Adresse, oder lassen Sie diese in APP_ORIGINS eintragen.',
      unavailable: 'Der Server kann das gerade nicht. Versuchen Sie es {when} wieder.',
      disconnected:
        'Keine Verbindung zum Server. Prüfen Sie Ihre und versuchen Sie es noch einmal; Ihre Eingaben stehen noch hier.',
      unknown:
        'Auf dem Server ging etwas schief. Versuchen Sie es noch einmal; bleibt es dabei, nennen Sie dem Betreiber die Nummer {requestId}.',
      nameMissing: 'Geben Sie Ihren Namen ein.',
      emailMissing: 'Geben Sie Ihre E-Mail-Adresse ein.',
      emailInvalid: 'Geben Sie eine vollständige E-Mail-Adresse ein, etwa ada@example.com.',
      passwordMissing: 'Geben Sie Ihr Passwort ein.',
      passwordLength: 'Ein Passwort hat 8 bis 128 Zeichen; dieses hat {length}.',
      passwordGuessable:
        'Dieses Passwort würde früh erraten: Es ist verbreitet, oder kaum mehr als Ihr Name oder Ihre Adresse. Wählen Sie ein anderes.',
      accessDenied:
        'Der Anbieter hat Sie nicht eingelassen, oder Sie haben es sich anders überlegt. Versuchen Sie es gern noch einmal.',
      signInFailed:
        'Die Anmeldung ist nicht gelungen. Versuchen Sie es noch einmal; bleibt es dabei, steht der Grund im Protokoll des Servers.',
      providerFailed:
        'Die Antwort des Anbieters ist nicht brauchbar. Versuchen Sie es noch einmal; bleibt es dabei, steht der Grund im Protokoll des Servers.',
      providerUnavailable: 'Der Anbieter antwortet nicht. Versuchen Sie es gleich noch einmal.',
      providerEmailMissing:
        'Der Anbieter nannte keine E-Mail-Adresse, die ein Konto aber braucht. Tragen Sie dort eine ein und versuchen Sie es noch einmal.',
      accountExists:
        'Ein anderes Konto hat Ihre E-Mail-Adresse, und das allein verbindet die beiden nicht. Melden Sie sich an wie bisher.',
      accountDisabled: 'Ihr Konto ist deaktiviert. Ein Benutzer dieses Servers kann es aktivieren.',
      flowUnknown: 'Diese Anmeldung wurde anderswo begonnen, oder eine spätere. Beginnen Sie noch einmal.',
      flowExpired: 'Diese Anmeldung hat länger als zehn Minuten gedauert. Beginnen Sie noch einmal.',
      notFound: 'Unter dieser Adresse gibt es keine Seite. Vielleicht ist sie vertippt.',
      notNow: 'Der Server erreicht seine Datenbank gerade nicht. Nichts ist verloren; versuchen Sie es gleich wieder.',
      linkInvalid: 'Dieser Link ist ungültig oder abgelaufen: Er gilt 15 Minuten. Lassen Sie sich einen neuen geben.',
    },
    problemPages: { notFound: 'Hier ist keine Seite', notNow: 'Gerade nicht', failed: 'Das hat nicht geklappt' },
    toHome: 'Zu Signalbox',
    install: {
      version: 'Version {version}',
      submit: 'Installieren',
      iosHint:
        'Tippen Sie auf „Installieren“ und stimmen Sie zu. Die App erscheint dann auf dem Home-Bildschirm. Sie muss für dieses Gerät signiert sein.',
      androidHint:
        'Tippen Sie auf „Installieren“ und öffnen Sie die Datei, wenn sie geladen ist. Android fragt einmal, ob der Browser Apps installieren darf.',
    },
    noScript: 'Die Anmeldung braucht JavaScript. Schalten Sie es für diese Seite ein und laden Sie sie neu.',
    requestId: 'Anfrage {requestId}',
  },
  news: {
    run: { PLAN: 'Planlauf {number}', SESSION: 'Sitzungslauf {number}', WORKFLOW: 'Workflow-Lauf {number}' },
    runEnded: {
      SUCCEEDED: '{run} war erfolgreich',
      FAILED: '{run} ist fehlgeschlagen',
      CANCELED: '{run} wurde abgebrochen',
      TIMED_OUT: '{run} hat die Zeit überschritten',
      LOST: '{run} ging verloren',
      SKIPPED: '{run} wurde übersprungen',
    },
    planEnded: { COMPLETED: 'Ein Plan wurde ausgeführt', FAILED: 'Ein Plan ist fehlgeschlagen' },
    buildEnded: {
      SUCCEEDED: '{name} war erfolgreich',
      FAILED: '{name} ist fehlgeschlagen',
      CANCELED: '{name} wurde abgebrochen',
      TIMED_OUT: '{name} hat zu lange gedauert',
      LOST: '{name}: Die Maschine ist nicht mehr erreichbar',
    },
    incidentIn: 'Störung in {run}',
    titles: {
      WAITING_FOR_INPUT: '{run} wartet auf Ihre Antwort',
      INCIDENT: 'Störung',
      AGENT_LOST: 'Agent {name} ist verloren',
      DEVICE_ENROLLED: 'Ein Gerät wurde registriert',
    },
    lostAtWork: 'Er war bei der Arbeit und ist verstummt.',
  },
  enrollment: {
    profileName: 'Signalbox: Gerät anmelden',
    profileDescription:
      'Teilt Signalbox Kennung, Seriennummer, Modell, Version und Namen dieses Geräts mit. Am Gerät wird nichts geändert.',
    doneTitle: 'Dieses Gerät ist angemeldet',
    doneText: 'Signalbox kennt dieses Gerät jetzt. Diese Seite kann geschlossen werden.',
  },
  telemetryExport: {
    titles: { CONSOLE_LOG: 'Konsolenprotokolle', ANALYTICS_EVENT: 'Analyse-Ereignisse' },
    columns: {
      timestamp: 'Zeit',
      observedTimestamp: 'Empfangen',
      severityText: 'Schweregrad',
      severityNumber: 'Schweregrad (Zahl)',
      eventName: 'Ereignis',
      body: 'Meldung',
      attributes: 'Attribute',
      resource: 'Ressource',
      sessionId: 'Sitzung',
      traceId: 'Trace',
      spanId: 'Span',
      recordId: 'Eintrag',
    },
    made: 'Erstellt',
    from: 'Von',
    to: 'Bis',
    text: 'Text',
    none: 'Keine Einträge.',
    records: 'Einträge: {count}',
    cut: 'Abgeschnitten: Diese Datei enthält nur die neuesten {count} Einträge.',
    page: 'Seite {page} von {pages}',
    replaced: '{sign} steht für Zeichen, die diese Datei nicht darstellen kann.',
  },
}
