/** The kinds of matches, the most certain first: the ID, the whole title, words, or a title that is only similar. */
export const searchMatches = ['ID', 'TITLE', 'WORDS', 'SIMILAR'] as const
export type SearchMatch = (typeof searchMatches)[number]
