import type { ComponentChildren } from 'preact';
import type { CrmRecord } from '../data/records.js';
import { changedQuery, href, useRoute } from '../data/route.js';
import { reloadAll } from '../data/store.js';
import { Empty, Failed, Skeleton } from '../parts/states.js';
import { TagMark } from '../parts/tag.js';
import { useWide } from '../parts/use-wide.js';
import { VirtualList } from '../parts/virtual-list.js';
import { words } from '../words/words.js';
import type { Kind } from './kind.js';
import { useRecords } from './use-records.js';

const { records: text } = words;
/** Of a row in pixels: on one line, and on a small screen on two. */
const ROW = { wide: 44, small: 64 };
const TAGS = 2;

export interface ListedProps<R extends CrmRecord> {
  kind: Kind<R>;
  /** Filters by their names in the address and in the API alike, beside the common ones. */
  filters: string[];
  /** What stands after the name. */
  columns: { name: string; label: string; draw: (row: R) => ComponentChildren }[];
}

/** The filters that the address names; those of custom fields are `custom_fields[key]`, as in the API. */
export const filterNames = (query: URLSearchParams, filters: string[]): string[] =>
  [...query.keys()].filter(
    (name) =>
      query.get(name) !== '' &&
      (['tag_id', 'sort', ...filters].includes(name) || name.startsWith('custom_fields[')),
  );

/** Of each list, where one was last: back leads there. */
const opened = new Map<string, string>();

/** The records that the filters of the address leave. */
export function ListedRecords<R extends CrmRecord>({ kind, filters, columns }: ListedProps<R>) {
  const { query } = useRoute();
  const isWide = useWide(900);
  const asked = Object.fromEntries(filterNames(query, filters).map((name) => [name, query.get(name)!]));
  const key = `${kind.place} ${JSON.stringify(asked)}`;
  const { data, error, more } = useRecords(kind, asked);
  if (!data && error) return <Failed error={error} again={() => void reloadAll('records ')} />;
  if (!data) return <Skeleton rows={8} height={isWide ? ROW.wide : ROW.small} />;
  if (data.rows.length === 0)
    return Object.keys(asked).some((name) => name !== 'sort') ? (
      <Empty title={text.nothingMatches}>
        <a href={href([kind.place], { org: query.get('org') })}>{words.inbox.clear}</a>
      </Empty>
    ) : (
      <Empty title={kind.text.noneYet}>
        <p>{kind.text.noneYetHint}</p>
      </Empty>
    );
  return (
    <>
      {isWide && (
        <div class="record-row columns quiet small" aria-hidden="true">
          <span>{text.name}</span>
          {columns.map(({ name, label }) => (
            <span key={name}>{label}</span>
          ))}
        </div>
      )}
      <VirtualList
        key={key}
        label={words.places[kind.place]}
        rows={data.rows}
        height={isWide ? ROW.wide : ROW.small}
        keyOf={kind.idOf}
        chosen={opened.get(key) ?? null}
        hasMore={data.next !== null}
        more={more}
        draw={(row) => (
          <a
            class="record-row"
            href={href([kind.place, kind.idOf(row)], changedQuery({}))}
            onClick={() => opened.set(key, kind.idOf(row))}
          >
            <span class="record-name">
              <span class="cut" dir="auto">
                {kind.titleOf(row)}
              </span>
              {row.tags.slice(0, TAGS).map((tag) => (
                <TagMark key={tag.tag_id} tag={tag} />
              ))}
            </span>
            {columns.map(({ name, draw }) => (
              <span key={name} class="cut quiet" dir="auto">
                {draw(row)}
              </span>
            ))}
          </a>
        )}
      />
    </>
  );
}
