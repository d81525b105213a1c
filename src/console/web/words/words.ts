import { de } from './de.js';
import { en, type Words } from './en.js';
import { isolating } from './isolated.js';

const LANGUAGES: Record<string, Words> = { en, de };

/** `?lang=` wins over the browser's languages, so that a link can show either. */
const asked = [new URLSearchParams(location.search).get('lang'), ...navigator.languages];
export const language = asked.map((tag) => tag?.slice(0, 2) ?? '').find((tag) => tag in LANGUAGES) ?? 'en';

/** The words of the reader's language. */
export const words: Words = isolating(LANGUAGES[language]!);
