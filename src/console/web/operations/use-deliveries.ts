import { type Calls, useCalls } from '../data/organization.js';
import { attempt, notify } from '../data/notices.js';
import type { Delivery, Page } from '../data/records.js';
import { api, isOperator, may } from '../data/session.js';
import { type Kept, patchAll, reloadAll, useKept } from '../data/store.js';
import { words } from '../words/words.js';
import type { AdminDelivery, DeliveryStatus, List } from './records.js';

const { deliveries: text } = words.operations;
const KEY = 'ops deliveries';

/** A delivery, and whom it goes to where that is known. */
export interface Shown extends AdminDelivery {
  recipient?: string | null;
  conversation_id?: string;
}

/** Those with this status; without one all that wait for a person. */
export function useDeliveries(status: string | null): Kept<List<Shown>> {
  const calls = useCalls();
  return useKept<List<Shown>>(`${KEY} ${status}`, () =>
    isOperator()
      ? api().GET<List<Shown>>('/admin/v1/deliveries', { params: { query: { status } } })
      : ofDrafts(calls, status === null ? ['failed', 'uncertain'] : [status]),
  );
}

export const reloadDeliveries = (): void => void reloadAll(KEY);

interface Draft {
  draft_id?: string;
  response_id?: string;
  conversation_id?: string;
  modality?: string;
  recipient_name: string | null;
  recipient_email: string | null;
  recipient_phone_number: string | null;
  delivery: Delivery;
}

/** What a key sees of them: the drafts of its organization. */
async function ofDrafts(calls: Calls, statuses: string[]): Promise<List<Shown>> {
  const lists = statuses.flatMap((status) =>
    ['/message-drafts', '/response-drafts'].map((path) =>
      calls.GET<Page<Draft>>(path, { params: { query: { status, limit: 100 } } }),
    ),
  );
  return { data: (await Promise.all(lists)).flatMap(({ data }) => data.map(shown)) };
}

const shown = (draft: Draft): Shown => ({
  organization_id: '',
  draft_id: (draft.draft_id ?? draft.response_id)!,
  conversation_id: draft.conversation_id,
  modality: draft.modality ?? (draft.recipient_email === null ? 'text' : 'email'),
  recipient: draft.recipient_name ?? draft.recipient_email ?? draft.recipient_phone_number,
  status: draft.delivery.status as DeliveryStatus,
  attempts: draft.delivery.attempts,
  last_error: draft.delivery.last_error,
  next_attempt_at: draft.delivery.next_attempt_at,
});

/** Whether it is over, and may be tried again by whoever is signed in. */
export const mayRetry = ({ status }: Shown): boolean =>
  (status === 'failed' || status === 'uncertain') && (isOperator() || may('send'));

const triedAgain = new Map<string, Shown>();

/** What was tried again from this page. */
export const retried = (draft_id: string): Shown | undefined => triedAgain.get(draft_id);

/** Tries it again; shown at once, and taken back when it is refused. */
export async function retry(calls: Calls, delivery: Shown): Promise<void> {
  const { draft_id, conversation_id } = delivery;
  const takeBack = patchAll<List<Shown>>(KEY, ({ data }) => ({
    data: data.map((one) => (one.draft_id === draft_id ? { ...one, status: 'queued' } : one)),
  }));
  const path = { draft_id, response_id: draft_id, ...(conversation_id && { conversation_id }) };
  const isDone = await attempt(() => {
    if (isOperator()) return api().POST('/admin/v1/deliveries/{draft_id}/retry', { params: { path } });
    return conversation_id === undefined
      ? calls.POST('/message-drafts/{draft_id}/send', { params: { path } })
      : calls.POST('/conversations/{conversation_id}/response-drafts/{response_id}/send', {
          params: { path },
        });
  }, takeBack);
  if (!isDone) return;
  triedAgain.set(draft_id, delivery);
  notify(text.again);
}
