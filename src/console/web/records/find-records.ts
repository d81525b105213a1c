import type { Calls } from '../data/organization.js';
import type { CrmRecord, Found, Page } from '../data/records.js';
import { typed } from '../data/typed.js';
import type { Option } from '../parts/combobox.js';
import type { Kind } from './kind.js';

const SHOWN = 20;

/** Finds records to choose one of: the first by name where nothing is typed. */
export const finderOf =
  <R extends CrmRecord>(calls: Calls, { type, place, idOf, titleOf, hintOf }: Kind<R>) =>
  async (q: string, signal: AbortSignal): Promise<Option[]> => {
    if (q === '') {
      const params = { query: { sort: 'name', limit: SHOWN } };
      const { data } = await calls.GET<Page<R>>(`/${place}`, { params, signal });
      return data.map((record) => ({ id: idOf(record), title: titleOf(record), hint: hintOf(record) }));
    }
    const params = { query: { q: typed(q), types: type, limit: SHOWN } };
    const { data } = await calls.GET<Page<Found>>('/search', { params, signal });
    return data.map(({ id, title, highlights }) => ({ id, title, hint: besides(title, highlights) }));
  };

/** What was found beside the title. */
const besides = (title: string, highlights: Found['highlights']): string | undefined =>
  highlights.map(({ text }) => text.replaceAll(/[\uE000\uE001]/g, '')).find((text) => text !== title);
