/** How something was found, the surest way first: by its ID, by its whole title, by words, by a title that is only similar. */
export const searchMatches = ['ID', 'TITLE', 'WORDS', 'SIMILAR'] as const
export type SearchMatch = (typeof searchMatches)[number]
