import { useContext } from 'preact/hooks';
import { ParleyError } from '../data/api.js';
import { type Calls, Organization, useCalls } from '../data/organization.js';
import { usePages } from '../data/pages.js';
import type { Contact, Page } from '../data/records.js';
import { reload } from '../data/store.js';
import type { Behind } from './address.js';
import type { FigureRecord } from './answers.js';

/** A record behind a figure, with what people call it; null when it is gone. */
export interface NamedRecord extends FigureRecord {
  name: string | null;
  about: string;
}

type Named = Pick<NamedRecord, 'name' | 'about'>;

const PAGE = 25;

/** The records behind a figure, page by page. */
export function useRecords(behind: Behind) {
  const calls = useCalls();
  const key = `records ${useContext(Organization)} ${JSON.stringify(behind)}`;
  const pages = usePages<NamedRecord>(
    key,
    async (cursor) => {
      const query = { ...behind, limit: PAGE, cursor };
      const page = await calls.GET<Page<FigureRecord>>('/analytics/records', { params: { query } });
      const data = await Promise.all(
        page.data.map(async (row) => ({ ...row, ...(await nameOf(calls, row)) })),
      );
      return { ...page, data };
    },
    ({ conversation_id, message_id, sale_id }) => message_id ?? sale_id ?? conversation_id!,
  );
  return { ...pages, again: () => void reload(key) };
}

/** Names that were asked for: a figure has many messages of one conversation. */
const names = new Map<string, Promise<Named>>();

function nameOf(calls: Calls, { conversation_id, sale_id }: FigureRecord): Promise<Named> {
  const id = conversation_id ?? sale_id!;
  const known = names.get(id);
  if (known) return known;
  const asked = (conversation_id === undefined ? saleName : conversationName)(calls, id).catch(
    (error: unknown) => {
      names.delete(id);
      if (error instanceof ParleyError && error.status === 404) return { name: null, about: '' };
      throw error;
    },
  );
  names.set(id, asked);
  return asked;
}

const calledBy = (contact: Contact | null | undefined): string | null =>
  contact ? contact.name || contact.email || contact.phone_number : null;

async function conversationName(calls: Calls, conversation_id: string): Promise<Named> {
  const params = { path: { conversation_id }, query: { expand: 'contact' } };
  const { contact, subject, preview } = await calls.GET<{
    contact: Contact | null;
    subject: string | null;
    preview: string;
  }>('/conversations/{conversation_id}', { params });
  return { name: calledBy(contact), about: subject ?? preview };
}

async function saleName(calls: Calls, sale_id: string): Promise<Named> {
  const params = { path: { sale_id }, query: { expand: 'company,contacts' } };
  const { name, company, contacts } = await calls.GET<{
    name: string | null;
    company: { name: string } | null;
    contacts: Contact[];
  }>('/sales/{sale_id}', { params });
  return { name: name ?? company?.name ?? calledBy(contacts[0]), about: calledBy(contacts[0]) ?? '' };
}
