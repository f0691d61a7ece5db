/** Words that names in code do not have, each with the words to use, and the names that may have them. GLOSSARY.md has the terms. */

export interface BannedIdentifier {
  /** Matches the words of a name, in lower case with spaces: `inFlight` is `in flight`. */
  readonly pattern: RegExp
  readonly instead: string
  /** The names that may have the words, each with the reason. */
  readonly except?: Readonly<Record<string, string>>
}

const isStored = 'stored actors or journal entries have this name'

export const bannedIdentifiers: readonly BannedIdentifier[] = Object.freeze([
  { pattern: /\b(told|said|says?|spoken|speaks?)\b/, instead: 'sent, reported, text' },
  { pattern: /\b(hears?|heard|ears?)\b/, instead: 'receive, listener' },
  { pattern: /\b(knew|knows|(un)?vouch\w*|doubts?|judg(e|es|ed|ing))\b/, instead: 'find, confirm, validate' },
  {
    pattern: /\bforg(et|ets|ot|otten)\b/,
    instead: 'remove, purge, expire',
    except: { forgot: isStored, agentForgot: isStored, forgetPassword: 'the usual name of the page' },
  },
  { pattern: /\bunder way\b/, instead: 'in flight, active', except: { UNDER_WAY: isStored } },
  { pattern: /\b(mailbox(es)?|lamps?|shel(f|ves)|desk)\b/, instead: 'queue, status badge, tool catalog, preview' },
  { pattern: /\b(rid(e|es|er|ers))\b/, instead: 'shares the slot', except: { rides: isStored, riders: isStored } },
  {
    pattern: /\b(nobody|somebody|anybody|whoever)\b/,
    instead: 'a noun',
    except: { NOBODY: 'a user of the operating system', asNobody: 'a user of the operating system' },
  },
  { pattern: /\banew\b/, instead: 'again, or a verb with re-' },
])
