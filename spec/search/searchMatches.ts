/** How a result matched, most certain first: its ID, its whole title, words, or a title that is only similar. */
export const searchMatches = ['ID', 'TITLE', 'WORDS', 'SIMILAR'] as const
export type SearchMatch = (typeof searchMatches)[number]
