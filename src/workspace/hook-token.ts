import { createHmac } from 'node:crypto';
import { sameHash } from './api-key.js';

/** The door whose URL stands in web pages, beside one that only a provider knows. */
const PUBLIC_DOOR = 'form';

/**
 * The token in the URL of a door. That of forms is made from the channel's and does not tell it: whoever reads it in a web
 * page could otherwise send e-mails in from any address, and would be shown those that are there.
 */
export const tokenFor = (door: string, channelToken: string): string =>
  door === PUBLIC_DOOR
    ? createHmac('sha256', channelToken).update(door).digest('base64url').slice(0, 32)
    : channelToken;

/** Whether the token opens the door. Pages from before forms had a token of their own have the channel's. */
export const opens = (token: string, door: string, channelToken: string): boolean =>
  [tokenFor(door, channelToken), channelToken].some((one) => sameHash(Buffer.from(token), Buffer.from(one)));
