import type { Headers } from 'undici';

/** What comes over HTTP is checked by the expectations of the tests, not by types. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, else null. */
  body: Json;
  text: string;
}

export type Query = Record<string, string | number | boolean | undefined>;
