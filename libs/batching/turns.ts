import { setImmediate } from 'node:timers/promises';
import { Mutex } from 'async-mutex';

const turns = new Mutex();

/**
 * Lets requests and answers be served before long work goes on. However many wait here, one of them goes on in each turn of the
 * event loop: all long work together delays others no more than one piece of it does.
 */
export const othersTurn = (): Promise<void> => turns.runExclusive(() => setImmediate());
