import type { Company } from '../data/records.js';
import type { Kind } from '../records/kind.js';
import { words } from '../words/words.js';

const { companies: text, records } = words;

export const companyKind: Kind<Company> = {
  type: 'company',
  place: 'companies',
  text,
  fields: [
    { name: 'name', label: records.name, type: 'text' },
    { name: 'domain', label: text.domain, type: 'text' },
    { name: 'address', label: text.address, type: 'lines' },
    { name: 'agent_id', label: text.agent, type: 'agent' },
  ],
  begins: ['name', 'domain'],
  expand: 'agent',
  idOf: ({ company_id }) => company_id,
  titleOf: ({ name }) => name || words.inbox.unnamed,
  hintOf: ({ domain }) => domain ?? '',
  sorts: [
    ['', records.sort.newest],
    ['name', records.sort.name],
  ],
};
