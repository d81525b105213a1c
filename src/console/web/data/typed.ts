/** What is searched for while somebody types: the last word may not be whole yet. */
export const typed = (q: string): string => (/[\p{L}\p{N}]$/u.test(q) && !q.includes('"') ? `${q}*` : q);
