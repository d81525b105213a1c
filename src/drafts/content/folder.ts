const DEFAULT = 'drafts';

/**
 * Lower-cases, turns each run of other characters than letters and digits (of any script) into one hyphen and trims
 * hyphens; `drafts` when nothing is left (decisions, section 7).
 */
export const normalizedFolder = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '') || DEFAULT;
