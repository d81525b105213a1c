import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, systemContext } from '#kernel/context.js';
import type { MessageRecorder, PreparedMessage } from '../../conversations/conversations.contract.js';
import { PromotionQueue } from './promotion-queue.js';

const ORGANIZATION = 'org_1';

describe('messages that drafts of one organization become', () => {
  it('are written in the trace of their own delivery, however many wait', async () => {
    const current = new AsyncLocalStorage<string>();
    const written: [string | null, string | undefined, number][] = [];
    const recordAll = ({ traceparent }: Context, messages: PreparedMessage[]) => {
      written.push([traceparent, current.getStore(), messages.length]);
      return Promise.resolve([]);
    };
    const queue = new PromotionQueue({ recordAll } as unknown as MessageRecorder);
    const promoted = (traceparent: string) =>
      current.run(traceparent, () =>
        queue.write({ ...systemContext(ORGANIZATION), traceparent }, {
          keys: [] as string[],
        } as PreparedMessage),
      );
    await Promise.all(['a', 'b', 'c', 'b'].map(promoted));
    expect(written).toEqual([
      ['a', 'a', 1],
      ['b', 'b', 2],
      ['c', 'c', 1],
    ]);
  });
});
