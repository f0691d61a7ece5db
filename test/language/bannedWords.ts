/** Words and constructions that make a reader stop, each with the term to use instead and the reason. GLOSSARY.md has the terms. */

export interface BannedWord {
  readonly pattern: RegExp
  /** The term or the construction to use. */
  readonly instead: string
  readonly reason: string
  /** A sentence that matches this may use the word: there it has its usual meaning. */
  readonly unless?: RegExp
  /** It is banned only in the first sentence of a text: there no earlier sentence names the subject. */
  readonly isOpening?: true
  /** It is banned only in these files. Others still have it. */
  readonly only?: RegExp
}

const speech = 'programs do not speak, hear or know'
const term = 'one term for each concept'
/** Descriptions, messages and comments of the contract. */
const contract = /^spec\//
const condition = '"if" is for conditions, "where" is for places'
const subject = 'a sentence has a subject that names something'
/** A heading, or an entry of a list or a table. */
const noPunctuation = /^[^.:;,]*$/

export const bannedWords: readonly BannedWord[] = Object.freeze([
  // Verbs for people.
  { pattern: /\b(says?|said|saying)\b/, instead: 'states, reports, returns, shows', reason: speech },
  { pattern: /\btold\b/, instead: 'is notified, receives', reason: speech },
  { pattern: /\b(hears?|heard|hearing)\b/, instead: 'receives', reason: speech },
  { pattern: /\b(speaks?|spoke|spoken)\b/, instead: 'uses, supports, connects', reason: speech },
  { pattern: /\b(knows|knew)\b/, instead: 'stores, has, finds', reason: speech },
  { pattern: /\b(lives|lived|alive)\b/, instead: 'runs, sends heartbeats, is stored', reason: speech },
  // Terms.
  { pattern: /\bunder way\b/, instead: 'in flight, active', reason: term },
  { pattern: /\b(is|are|was|were|be|being) away\b/, instead: 'unavailable', reason: term },
  { pattern: /\b(wakes?|woke|woken|waking)\b/, instead: 'timer fires, loads, notifies', reason: term },
  { pattern: /\bmailbox(es)?\b/, instead: 'queue', reason: term },
  { pattern: /\bshel(f|ves)\b/, instead: 'tool catalog', reason: term },
  { pattern: /\bflights?\b/, instead: 'pending commit', reason: term, unless: /\b(in|single) flight\b/i },
  { pattern: /\b(an|the|this|each|every|of|its|operators?['’]s?) acts?\b/, instead: 'operator action', reason: term },
  { pattern: /\b(foresees?|foreseen|desk)\b/, instead: 'preview, dry run', reason: term },
  {
    pattern: /\bsteps?\b/,
    instead: 'transition',
    reason: term,
    unless: /\b(workflow|command|migration)s?\b|\bsteps? \d|\bstep by step\b/i,
    // Elsewhere it is a step of a workflow.
    only: /^(actors|storage|machines\/framework|docs\/internals\/(runtime|storage))/,
  },
  { pattern: /\b(its|in|a|one) turn\b/, instead: 'transition, slot', reason: term, unless: /session|conversation/i },
  { pattern: /\bsealed anew\b|\b(un)?seal(s|ed|ing|ings)?\b/, instead: 'encrypt, decrypt, re-encrypt', reason: term },
  { pattern: /\b(vouch|vouches|doubts?|doubted|judges?|judged)\b/, instead: 'validate, invalidate', reason: term },
  { pattern: /\b(forgets?|forgot|forgotten)\b/, instead: 'purge, expire, delete', reason: term, unless: /password/i },
  { pattern: /\b(rides?|rode|riders?|riding)\b/, instead: 'shares the slot of', reason: term },
  { pattern: /\blamps?\b/, instead: 'status badge', reason: term },
  { pattern: /\b(older|newer|last|a) word (of|from|than)\b/, instead: 'message', reason: term },
  { pattern: /\bproblem among\b/, instead: 'failed effect', reason: term },
  // Constructions.
  { pattern: /\bstands?\b|\bstood\b/, instead: 'is, has the state, is stored', reason: 'a metaphor' },
  { pattern: /\banew\b/, instead: 'again, or a verb with re-', reason: 'not in common use' },
  {
    pattern: /\bby leave of\b|\baffair\b/,
    instead: 'after permission from, responsibility',
    reason: 'not in common use',
  },
  { pattern: /\bthings?\b/, instead: 'object, actor, value', reason: 'it names nothing' },
  { pattern: /\b(nobody|somebody|whoever)\b/i, instead: 'no user, no process, a caller', reason: subject },
  { pattern: /^Where (?!.*\?$)/, instead: 'If', reason: condition, unless: noPunctuation },
  { pattern: /\bwhere (there (is|are|was)|it (is|has|was)|nobody)\b/, instead: 'if', reason: condition },
  {
    pattern: /^(What|Whatever|Who) (?!.*\?$)/,
    instead: 'a noun: "A value that …"',
    reason: subject,
    unless: noPunctuation,
  },
  {
    pattern: /;\s[^;]*;/,
    instead: 'sentences, or a list',
    reason: 'one fact in a sentence',
    // A cookie, or a content security policy.
    unless: /Path=\/|HttpOnly|\b(src|uri) '/,
  },
  // Constructions of the contract. Descriptions are read alone, in an editor or by an AI client.
  {
    pattern: /^(Of|By|As) [^,]*$/,
    instead: 'the subject: "The version of the app"',
    reason: subject,
    isOpening: true,
    only: contract,
  },
  {
    pattern: /^(It|Its|They|Their|Them|Those|Whose|Until|Why|How|When|Where)\b/,
    instead: 'the subject: "The time of the last use", "The number of threads"',
    reason: subject,
    isOpening: true,
    only: contract,
  },
  { pattern: /\bso many\b/i, instead: '"the number of …", "at most 100"', reason: subject, only: contract },
  {
    pattern: /\bwhere (omitted|nothing|none|left out|absent|that is|one (is|has)|they (are|have))\b/,
    instead: '"If omitted, …", "Default: …", "Null if …"',
    reason: condition,
    only: contract,
  },
  { pattern: /\b(goes|go|going|went) on\b/, instead: 'continues', reason: 'not in common use', only: /^(spec|docs)\// },
  { pattern: /\bfor good\b/, instead: 'permanently', reason: 'not in common use', only: contract },
  {
    pattern: /\b(that|which) there (is|are)(?=[.,;:)]|$)/,
    instead: 'existing',
    reason: 'not in common use',
    only: contract,
  },
  {
    pattern: /\b(takes?|puts?) \w+( \w+)? away\b/,
    instead: 'removes, archives, clears',
    reason: 'a metaphor',
    only: contract,
  },
  { pattern: /^Makes? (a|an|one|the)\b/, instead: 'creates', reason: term, only: contract },
  // Spelling.
  {
    pattern: /\b(colour|behaviour|favour|neighbour|honour|licence|catalogue|centre|judgement|enrol(s|ments?)?\b)/i,
    instead: 'color, behavior, license, catalog, center, enroll, enrollment',
    reason: 'American spelling',
  },
  {
    pattern: /\b(recogni|normali|organi|authori|seriali|initiali|minimi|summari)s(e|es|ed|ing|ation)\b|\bcancelled\b/i,
    instead: '-ize, canceled',
    reason: 'American spelling',
    // The protocol of GraphQL over WebSocket prescribes these texts.
    unless: /^(Connection initialisation timeout|Too many initialisation requests)$/,
  },
])
