import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalid } from '../problems/problem.js';

/** Writes places in lists as cursors, signed with the list, its organization and filters as the scope, and reads them back. */
export class Cursors {
  constructor(private readonly secret: Buffer) {}

  write(place: unknown, scope: string): string {
    const payload = Buffer.from(JSON.stringify(place)).toString('base64url');
    return `${payload}.${this.sign(payload, scope)}`;
  }

  /** Throws 400 for a cursor that was made up, or is of another scope. */
  read<Place>(cursor: string, scope: string): Place {
    const [payload = '', signature = '', ...rest] = cursor.split('.');
    const expected = Buffer.from(this.sign(payload, scope));
    const given = Buffer.from(signature);
    if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
      throw invalid([{ field: 'cursor', detail: 'is not a cursor of this list with these filters' }]);
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Place;
  }

  private sign(payload: string, scope: string): string {
    return createHmac('sha256', this.secret).update(`${scope}\n${payload}`).digest('base64url').slice(0, 22);
  }
}
