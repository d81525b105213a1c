const DEFAULT = 'drafts';

/**
 * Lower case, each run of other than letters and digits one hyphen, none at the edges; `drafts` when nothing is left
 * (decisions, section 7). Letters and digits are those of any script.
 */
export const normalizedFolder = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '') || DEFAULT;
