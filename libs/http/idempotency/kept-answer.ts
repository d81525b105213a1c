import { SetMetadata } from '@nestjs/common';
import type { StoredAnswer } from './idempotency.queries.js';

const SHOWS_SECRET = 'shows-secret';
const ASKS_OTHERS = 'asks-others';

/** Route decorator: a secret is in the answer, and only there; what is kept for an `Idempotency-Key` is sealed. */
export const ShowsSecret = () => SetMetadata(SHOWS_SECRET, true);

/**
 * Route decorator: the request changes nothing here and waits for servers of others. No transaction is held open for it; two
 * processes may carry out the same request at once.
 */
export const AsksOthers = () => SetMetadata(ASKS_OTHERS, true);

export const asksOthers = (route: object): boolean => Reflect.getMetadata(ASKS_OTHERS, route) === true;

/** Seals what must not be read in the database; `bound` must be given again to open it. */
export interface Sealer {
  seal(value: object, bound: string): Buffer;
  open<Value>(box: Buffer, bound: string): Value;
}

export type KeptAnswer = Omit<StoredAnswer, 'fingerprint'>;

/** Writes the answers of a route as they are kept, and reads them. */
export class KeptAnswers {
  private readonly isSealed: boolean;

  constructor(
    route: object,
    private readonly sealer: Sealer,
  ) {
    this.isSealed = Reflect.getMetadata(SHOWS_SECRET, route) === true;
  }

  write(answer: KeptAnswer, bound: string): KeptAnswer {
    if (!this.isSealed) return answer;
    return { ...answer, body: this.sealer.seal([answer.body], bound).toString('base64') };
  }

  read(answer: StoredAnswer, bound: string): StoredAnswer {
    if (!this.isSealed) return answer;
    const [body] = this.sealer.open<[string]>(Buffer.from(answer.body, 'base64'), bound);
    return { ...answer, body };
  }
}
